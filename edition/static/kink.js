/* A piecewise-linear activation, one of whose arms is bent; an input in two copies, times the gains of two outputs; and
   how much the copies of three outputs have in common. */
live.stages("kink", 441.6, 220.8, "An activation that can be bent, and what two copies of an input have in common", ({ root, svg, values, says }) => {
  const { draw, set } = live, { inputs } = values, Y = 112, [LEFT, MIDDLE, RIGHT] = [78, 222, 372];
  const ARM = 24, UNIT = 14, BLOCK = 34, STEP = 0.05; // units of an argument and of a copy; of a key
  const frame = (x, unit, reach) => draw(svg, "path", { class: "axis", d: `M${x - unit * reach} ${Y}H${x + unit * reach}M${x} ${Y - 64}V${Y + 64}` });
  let alpha = values.alpha;

  frame(LEFT, ARM, 2.2);
  frame(MIDDLE, UNIT, 4);
  const points = ["unequal", "equal"].map((name) => draw(svg, "path", { class: name })), slope = draw(svg, "path", { class: "slope" });
  const blocks = [...Array(9).keys()].map((k) => draw(svg, "rect", {
    class: "block", x: RIGHT - 1.5 * BLOCK - 4 + (BLOCK + 4) * (k % 3), y: Y - 1.5 * BLOCK - 4 + (BLOCK + 4) * Math.floor(k / 3), width: BLOCK, height: BLOCK,
  }));
  const titles = [LEFT, MIDDLE, RIGHT].map((x) => draw(svg, "text", { x, y: 22 }));
  ["activation", "two copies of an input", "three outputs"].forEach((words, k) =>
    draw(svg, "text", { class: "end middle", x: [LEFT, MIDDLE, RIGHT][k], y: 204 }, words));
  const arms = draw(svg, "path", { class: "arms" });
  const bend = (wanted) => { alpha = live.clamp(Math.round(wanted / STEP) * STEP, -1, 1) || 0; show(); };
  const { group, put } = live.knob(svg, { "aria-label": "Gain for negative arguments", "aria-valuemin": -1, "aria-valuemax": 1 }, {
    start: () => alpha,
    move: (dx, dy, begun) => bend(begun + dy / (2 * ARM)),
    step: (right, up) => bend(alpha - (right + up) * STEP), // up raises the arm
  });
  live.hand(svg, LEFT - 2 * ARM + 4, Y + 2 * ARM * alpha - 34);

  function show() {
    const beta = Math.sqrt(2 - alpha ** 2), coupling = (1 + alpha * beta) / 2;
    set(arms, { d: `M${LEFT - 2 * ARM} ${Y + 2 * ARM * alpha}L${LEFT} ${Y}L${LEFT + 2 * ARM} ${Y - 2 * ARM * beta}` });
    put(LEFT - 2 * ARM, Y + 2 * ARM * alpha);
    const dots = (pairs) => inputs.flatMap((y) => pairs.map(([a, b]) => `M${MIDDLE + UNIT * a * y} ${Y - UNIT * b * y}h0`)).join("");
    set(points[0], { d: dots([[alpha, beta], [beta, alpha]]) });
    set(points[1], { d: dots([[alpha, alpha], [beta, beta]]) });
    set(slope, { d: `M${MIDDLE - 4 * UNIT} ${Y + 4 * UNIT * coupling}L${MIDDLE + 4 * UNIT} ${Y - 4 * UNIT * coupling}` });
    blocks.forEach((block, k) => { block.style.fillOpacity = k % 4 ? coupling : 1; });
    const name = { 1: "linear", 0: "ReLU", "-1": "absolute value" }[alpha] ?? "leaky ReLU";
    [name, `slope ${coupling.toFixed(2)}`, `coupling ${coupling.toFixed(2)}`].forEach((words, k) => { titles[k].textContent = words; });
    set(group, { "aria-valuenow": alpha.toFixed(2), "aria-valuetext": `gains ${live.signed(alpha)} and ${live.signed(beta)}: coupling ${coupling.toFixed(2)}` });
    if (!svg.classList.contains("fresh")) says.textContent = `Slope ${live.signed(alpha / beta)} for negative arguments: coupling ${coupling.toFixed(2)}.`;
    Object.assign(root, { gains: [alpha, beta], coupling }); // for the tests
  }
  show();
});
