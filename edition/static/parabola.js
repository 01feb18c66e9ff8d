/* The errors that a model with one parameter can make, and the constraint at its parameter, which is dragged along them:
   at the lowest loss the constraint goes through the error (budget-kernel.js computes the capacity). */
live.stages("parabola", 441.6, 297.6, "Errors of a model with one parameter, and its constraint", ({ root, svg, values, says }) => {
  const { target, covariance, best, range: [low, high] } = values, { draw, set } = live;
  const X = 160, Y = 150, REACH = 138, STEP = 0.01; // half the side of the plane; of the parameter
  const errors = (w) => [w * w - target[0], w - target[1]];
  const times = ([x, y]) => covariance.map(([a, b]) => a * x + b * y);
  const dot = ([a, b], [x, y]) => a * x + b * y;
  const grid = [...Array(201).keys()].map((k) => low + ((high - low) * k) / 200);
  const unit = REACH / (1.15 * Math.max(...grid.flatMap(errors).map(Math.abs)));
  const at = ([x, y]) => [X + unit * x, Y - unit * y];
  let w = best;

  draw(svg, "path", { class: "axis", d: `M${X - REACH} ${Y}H${X + REACH}M${X} ${Y - REACH}V${Y + REACH}` });
  const levels = [0.25, 1, 4].map(() => draw(svg, "path", { class: "level" }));
  draw(svg, "path", { class: "curve", d: `M${grid.map((v) => at(errors(v))).join("L")}` });
  const line = draw(svg, "line", { class: "line" }), normal = draw(svg, "line", { class: "normal", x1: X, y1: Y });
  const jars = live.jars(svg, [0, 1].map((index) => ({ x: 330 + 50 * index, width: 36 })), 84, 228);
  ["lag 2", "lag 1"].forEach((words, index) => draw(jars.group, "text", { class: "end middle", x: 348 + 50 * index, y: 266 }, words));
  const loss = draw(svg, "text", { class: "loss", x: 330, y: 52 });
  const top = at(errors(high)), name = draw(svg, "text", { class: "constraint" }, "constraint");
  draw(svg, "text", { class: "errors", x: top[0], y: top[1] - 10 }, "errors it can make");
  draw(svg, "text", { class: "end newest", x: X - 6, y: Y - REACH + 12 }, "error at lag 1");
  draw(svg, "text", { class: "end newest", x: X + REACH, y: Y + 18 }, "error at lag 2");
  const change = (wanted) => {
    w = live.clamp(wanted, low, high);
    w = Math.abs(w - best) < STEP ? best : Math.round(w / STEP) * STEP;
    show();
  };
  const nearest = (x, y) => grid.reduce((found, v) => {
    const [a, b] = at(errors(v)), gap = Math.hypot(a - x, b - y);
    return gap < found.gap ? { v, gap } : found;
  }, { gap: Infinity }).v;
  const { group, put } = live.knob(svg, { "aria-label": "Parameter", "aria-valuemin": low, "aria-valuemax": high }, {
    start: () => at(errors(w)),
    move: (dx, dy, [x, y]) => change(nearest(x + dx, y + dy)),
    step: (right, up) => change(w + 2 * STEP * (right + up)),
  });
  live.hand(svg, ...at(errors(best)).map((place, index) => place + [34, -16][index]), 45);

  function show() {
    const error = errors(w), { capacities, basis: [k] } = budgetKernel.spent([[times([2 * w, 1])]]), point = at(error);
    const size = dot(error, times(error)), missed = dot(k, error);
    levels.forEach((level, index) => {
      const places = [...Array(72).keys()].map((turn) => {
        const u = [Math.cos((turn * Math.PI) / 36), Math.sin((turn * Math.PI) / 36)], r = Math.sqrt((size * [0.25, 1, 4][index]) / dot(u, times(u)));
        return at([r * u[0], r * u[1]]);
      });
      set(level, { d: `M${places.join("L")}Z` });
    });
    const [x1, y1] = [X - REACH * k[1], Y - REACH * k[0]], [x2, y2] = [X + REACH * k[1], Y + REACH * k[0]];
    set(line, { x1, y1, x2, y2 });
    set(name, { x: live.clamp(x1, 48, 2 * X - 48), y: y1 + (y1 < Y ? -8 : 18) });
    set(normal, { x2: X + 0.42 * REACH * k[0], y2: Y - 0.42 * REACH * k[1] });
    put(...point);
    jars.fill(capacities, true, (numbers) => `Capacity of the inputs at lags 2 and 1: ${numbers}`);
    loss.textContent = `loss ${size.toFixed(3)}`;
    const words = `w = ${live.signed(w)}: the loss is ${size.toFixed(3)}, the error ${w === best ? "meets" : "misses"} the constraint.`;
    set(group, { "aria-valuenow": w.toFixed(2), "aria-valuetext": words });
    if (!svg.classList.contains("fresh")) says.textContent = words;
    Object.assign(root, { w, loss: size, missed, capacities }); // for the tests
  }
  show();
});
