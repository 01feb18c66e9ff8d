/* An odometer: the steps to an input of a hierarchical model, its lag less one, in digits, one for each layer.
   A jar that is touched turns the digits, a digit that is turned finds another jar. */
live.stages("odometer", 441.6, 326.4, "Paths through the layers of a network, and what it spends on each input", ({ root, svg, values, says }) => {
  const { dilations, taps, capacities, back: rest } = values, { draw, set } = live, depth = dilations.length;
  const TOP = 24, FOOT = 188, RIM = 206, BOTTOM = 286, WHEEL = 38; // places; a digit has a wheel of its own
  const { inputs, lags, x, y, boxes } = live.stack(dilations, taps, [441.6, TOP, FOOT]);
  const levels = [...Array(depth).keys()].reverse(); // the last layer first, as its digit is the highest
  const words = (count) => `${count} step${count === 1 ? "" : "s"}`;
  let back = rest;

  for (const l of levels) for (const lag of lags[l + 1]) for (let t = 0; t < taps[l]; t++)
    draw(svg, "line", { class: "link", x1: x(lag), y1: y(l + 1), x2: x(lag + t * dilations[l]), y2: y(l) });
  lags.forEach((places, level) => places.forEach((lag) => draw(svg, "circle", { class: "spare", cx: x(lag), cy: y(level), r: 4.5 })));
  const path = draw(svg, "path", { class: "path" }), steps = levels.map(() => draw(svg, "text", { class: "step" }));
  const nodes = lags.map(() => draw(svg, "circle", { class: "node", r: 6 }));

  const turn = (l, digit) => choose(back + (live.clamp(digit, 0, taps[l] - 1) - digitOf(l)) * dilations[l]);
  const wheels = levels.map((l, place) => {
    const group = draw(svg, "g", { class: "wheel" }), left = 18 + (WHEEL + 8) * place;
    draw(group, "rect", { class: "rim", x: left, y: 12, width: WHEEL, height: 44, rx: 5 });
    const window = draw(group, "svg", { x: left, y: 12, width: WHEEL, height: 44 }), tape = draw(window, "g", { class: "tape" });
    for (let digit = 0; digit < taps[l]; digit++) draw(tape, "text", { class: "digit", x: WHEEL / 2, y: 32 + 44 * digit }, digit);
    draw(group, "text", { class: "end middle", x: left + WHEEL / 2, y: 74 }, `× ${dilations[l]}`);
    live.handle(group, { "aria-label": `Digit of layer ${l + 1}`, "aria-valuemin": 0, "aria-valuemax": taps[l] - 1 }, {
      start: () => turn(l, (digitOf(l) + 1) % taps[l]),
      move: () => {},
      step: (right, up) => turn(l, digitOf(l) + right + up),
    });
    return { l, group, tape };
  });
  const sum = draw(svg, "text", { class: "sum", x: 22 + (WHEEL + 8) * depth, y: 41, "aria-hidden": true });

  const jars = live.jars(svg, boxes, RIM, BOTTOM), chosen = draw(svg, "rect", { class: "chosen", y: RIM - 2, height: BOTTOM - RIM + 4 });
  draw(jars.group, "text", { class: "end", x: 18, y: 321 }, "oldest input");
  draw(jars.group, "text", { class: "end newest", x: 423.6, y: 321 }, "newest");
  jars.fill(capacities, inputs <= 10, (numbers) => `Capacity of each input, the oldest first: ${numbers}`);
  const row = draw(svg, "g", { class: "row" }), at = (place) => choose(inputs - 1 - Math.floor((place - 18) / (405.6 / inputs)));
  draw(row, "rect", { class: "grasp", x: 18, y: RIM - 8, width: 405.6, height: BOTTOM - RIM + 32 });
  live.handle(row, { "aria-label": "Input", "aria-valuemin": 1, "aria-valuemax": inputs }, {
    start: (place) => (at(place), place),
    move: (dx, dy, begun) => at(begun + dx),
    step: (right, up) => choose(back - right - up),
    pans: true,
  });
  live.hand(svg, x(Math.floor(inputs / 4)), BOTTOM - 26, 90);

  function digitOf(l) { return Math.floor(back / dilations[l]) % taps[l]; }
  function choose(wanted) {
    back = live.clamp(wanted, 0, inputs - 1);
    says.textContent = `Lag ${back + 1} = 1 + ${levels.map((l) => digitOf(l) * dilations[l]).join(" + ")}. Capacity ${capacities[inputs - 1 - back].toFixed(2)}.`;
    show();
  }
  function show() {
    const moves = dilations.map((dilation, l) => digitOf(l) * dilation), way = [0]; // lags along the path, from the top
    for (const l of levels) way.unshift(way[0] + moves[l]);
    set(path, { d: `M${way.map((lag, level) => `${x(lag)} ${y(level)}`).join("L")}` });
    nodes.forEach((node, level) => set(node, { cx: x(way[level]), cy: y(level) }));
    levels.forEach((l, place) => {
      const [middle, low] = [(x(way[l]) + x(way[l + 1])) / 2, (y(l) + y(l + 1)) / 2];
      set(steps[place], { x: middle - 12, y: low - 3 });
      steps[place].textContent = moves[l];
    });
    for (const { l, group, tape } of wheels) {
      tape.style.transform = `translateY(${-44 * digitOf(l)}px)`;
      set(group, { "aria-valuenow": digitOf(l), "aria-valuetext": `${digitOf(l)}, ${words(moves[l])}` });
    }
    sum.textContent = `= ${back}: lag ${back + 1}`;
    const box = boxes[inputs - 1 - back];
    set(chosen, { x: box.x - 2, width: box.width + 4 });
    const digits = levels.map(digitOf).join(" "), capacity = capacities[inputs - 1 - back].toFixed(2);
    set(row, { "aria-valuenow": inputs - back, "aria-valuetext": `lag ${back + 1}, digits ${digits}, capacity ${capacity}` });
    root.way = way; // for the tests
  }
  show();
});
