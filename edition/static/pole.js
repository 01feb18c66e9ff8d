/* A recurrent model: its poles, which are dragged along a line, and what its inputs receive (budget-kernel.js computes). */
live.stages("pole", 441.6, 336, "A recurrent network whose poles can be moved, and what it spends on each input", ({ root, svg, values, says, buttons }) => {
  const { inputs, poles: rest } = values, invitation = says.textContent, { draw, set } = live;
  const STEP = 0.05, MOST = 2, UNIT = 90, MIDDLE = 220.8, LINE = 300; // of a pole; the line of poles
  const CHAIN = 64, FEET = 102, RIM = 120, BOTTOM = 224;
  const pitch = 405.6 / inputs, x = (position) => 18 + pitch * (position + 0.5), order = [...Array(inputs).keys()];
  let poles = [...rest], count = 1;

  const draws = (name, ends) => ends.map(([x1, y1, x2, y2]) => draw(svg, "line", { class: name, x1, y1, x2, y2 }));
  draws("wire", [...order.map((k) => [x(k), FEET, x(k), CHAIN]), [x(inputs - 1), CHAIN, x(inputs - 1), 26]]);
  const chains = rest.map(() => draw(svg, "path", { class: "chain" })); // of each channel its own
  for (const k of order) for (const cy of [FEET, CHAIN]) draw(svg, "circle", { class: "node", cx: x(k), cy, r: 5 });
  draw(svg, "circle", { class: "node", cx: x(inputs - 1), cy: 26, r: 5 });
  draw(svg, "text", { class: "end newest", x: x(inputs - 1) - 12, y: 31 }, "prediction");
  const jars = live.jars(svg, order.map((k) => ({ x: x(k) - 0.36 * pitch, width: 0.72 * pitch })), RIM, BOTTOM);
  draw(jars.group, "text", { class: "end", x: 18, y: 260 }, "oldest input");
  draw(jars.group, "text", { class: "end newest", x: 423.6, y: 260 }, "newest");
  const total = draw(svg, "text", { class: "total", x: 18, y: 40, "aria-hidden": true });
  draws("rail", [[MIDDLE - MOST * UNIT, LINE, MIDDLE + MOST * UNIT, LINE]]);
  for (let z = -MOST; z <= MOST; z++) draw(svg, "text", { x: MIDDLE + UNIT * z, y: LINE + 29 }, live.signed(z).slice(0, -3));
  draws("rail", [-2, -1, 0, 1, 2].map((z) => [MIDDLE + UNIT * z, LINE - 5, MIDDLE + UNIT * z, LINE + 5]));
  const knobs = rest.map((_, index) => {
    const change = (value) => {
      poles[index] = live.clamp(Math.round(value / STEP) * STEP, -MOST, MOST) || 0; // no minus zero
      show();
    };
    const value = draw(svg, "text");
    return Object.assign(live.knob(svg, { "aria-label": `Pole ${index + 1}`, "aria-valuemin": -MOST, "aria-valuemax": MOST }, {
      start: () => poles[index],
      move: (dx, dy, begun) => change(begun + dx / UNIT),
      step: (right, up) => change(poles[index] + (right + up) * STEP),
    }), { value });
  });
  live.hand(svg, MIDDLE + UNIT * rest[0] + 44, LINE - 18, 90);

  /* In which directions a pole moves the coefficients: z^k and its derivative, k steps back. */
  const moves = (z) => [order.map((k) => z ** (inputs - 1 - k)), order.map((k) => (inputs - 1 - k) * z ** Math.max(0, inputs - 2 - k))];
  function show() {
    const shown = poles.slice(0, count), found = budgetKernel.spent([shown.flatMap(moves)]);
    knobs.forEach(({ group, put, value }, index) => {
      put(MIDDLE + UNIT * poles[index], LINE);
      for (const part of [group, value]) part.style.display = index < count ? "" : "none";
      set(value, { x: MIDDLE + UNIT * poles[index], y: LINE - 14 }).textContent = live.signed(poles[index]);
      set(group, { "aria-valuenow": poles[index].toFixed(2), "aria-valuetext": live.signed(poles[index]) });
    });
    chains.forEach((chain, index) => {
      const y = CHAIN + 5 * (index ? 1 : -1) * (count - 1), z = shown[index] ?? 0;
      set(chain, { d: index < count ? `M${x(0)} ${y}H${x(inputs - 1)}` : "", class: z < 0 ? "chain negative" : z ? "chain" : "chain zero" });
      chain.style.strokeWidth = `${Math.max(1, 5 * Math.abs(z))}px`;
    });
    jars.fill(found.capacities, inputs <= 10, (numbers) => `Capacity of each input, the oldest first: ${numbers}; in all ${found.total} of ${inputs}`);
    total.textContent = `${found.total} of ${inputs}`;
    says.textContent = count === 1 ? invitation
      : found.total > 2 ? "Two poles spend 4. Move one onto the other."
        : "Poles that meet are one channel: together they spend 2.";
    buttons[1].textContent = count === 1 ? "Second pole" : "One pole";
    Object.assign(root, { capacities: found.capacities, poles: shown }); // for the tests
  }
  buttons[0].addEventListener("click", () => { poles = [...rest]; count = 1; show(); });
  buttons[1].addEventListener("click", () => {
    count = 3 - count;
    if (poles[0] === poles[1]) poles[1] = rest[poles[0] === rest[1] ? 0 : 1];
    svg.classList.remove("fresh");
    show();
  });
  show();
});
