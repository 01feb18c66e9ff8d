/* The inputs of a hierarchical model folded into a square, a row for each block: what the model misses of an input is
   what it misses of the row times what it misses of the column. */
live.stages("fold", 441.6, 412.8, "Capacity of inputs that are folded into a square", ({ root, svg, values, says, buttons }) => {
  const { blocks, places, channels: rest } = values, { draw, set } = live, side = places[0].length;
  const X = 84, Y = 66, PITCH = 304 / side, SIZE = 0.86 * PITCH; // the newest input is the last, as in a text
  let channels = rest, back = values.back;

  const corner = (index, start) => start + PITCH * (side - 1 - index);
  const rect = (x, y, width, height) => `M${x} ${y}h${width}v${height}h${-width}Z`;
  const range = [...Array(side).keys()];
  draw(svg, "path", { class: "free", d: range.map((k) => rect(corner(k, X), 26, SIZE, 30) + rect(30, corner(k, Y), 44, SIZE)).join("") });
  draw(svg, "path", { class: "free", d: range.flatMap((b) => range.map((k) => rect(corner(k, X), corner(b, Y), SIZE, SIZE))).join("") });
  const full = draw(svg, "path", { class: "capacity" });
  const marks = ["", "", ""].map(() => draw(svg, "rect", { class: "chosen" }));
  draw(svg, "text", { class: "end", x: X + 304, y: 46 }, "place");
  draw(svg, "text", { class: "end middle", x: 52, y: 60 }, "block");
  draw(svg, "text", { class: "end newest", x: X + 304, y: 386 }, "newest");
  draw(svg, "text", { class: "end newest", x: X + 304, y: 16 }, "full: told by place or by block");
  const total = draw(svg, "text", { class: "total", x: X, y: 404, "aria-hidden": true });
  const grid = draw(svg, "g", { class: "grid" });
  draw(grid, "rect", { class: "grasp", x: X, y: Y, width: 304, height: 304 });
  const at = (x, y) => {
    const [column, row] = [x - X, y - Y].map((place) => live.clamp(Math.floor(place / PITCH), 0, side - 1));
    choose(side - 1 - row, side - 1 - column);
  };
  live.handle(grid, { "aria-label": "Input", "aria-valuemin": 1, "aria-valuemax": side ** 2 }, {
    start: (x, y) => (at(x, y), [x, y]),
    move: (dx, dy, [x, y]) => at(x + dx, y + dy),
    step: (right, up) => choose(Math.floor(back / side) + up, (back % side) - right),
    pans: true,
  });
  live.hand(svg, corner(back % side, X) + PITCH, corner(Math.floor(back / side), Y) + PITCH, 45);

  function choose(block, place) {
    back = side * live.clamp(block, 0, side - 1) + live.clamp(place, 0, side - 1);
    show();
    says.textContent = root.words;
  }
  function show() {
    const q = blocks[channels - 1], p = places[channels - 1]; // of a block and of a place in it, the newest first
    const capacities = q.map((row) => p.map((column) => 1 - (1 - row) * (1 - column)));
    const cell = (b, k) => { // the column fills it from the left, the row from below
      const x = corner(k, X), y = corner(b, Y), high = SIZE * (1 - q[b]);
      return `M${x} ${y}h${SIZE * p[k]}v${high}H${x + SIZE}V${y + SIZE}H${x}Z`;
    };
    const margins = range.map((k) => rect(corner(k, X), 26, SIZE * p[k], 30) + rect(30, corner(k, Y) + SIZE * (1 - q[k]), 44, SIZE * q[k]));
    set(full, { d: margins.join("") + range.flatMap((b) => range.map((k) => cell(b, k))).join("") });
    const b = Math.floor(back / side), k = back % side, [x, y] = [corner(k, X), corner(b, Y)];
    [[x, y, SIZE, SIZE], [x, 26, SIZE, 30], [30, y, 44, SIZE]].forEach(([x, y, width, height], index) => set(marks[index], { x, y, width, height }));
    const [row, column, left] = [1 - q[b], 1 - p[k], (1 - q[b]) * (1 - p[k])].map((share) => share.toFixed(2));
    root.words = `Lag ${back + 1} = 1 + ${b} · ${side} + ${k}. Free: ${row} × ${column} = ${left}.`;
    set(grid, { "aria-valuenow": side ** 2 - back, "aria-valuetext": `lag ${back + 1}, block ${b}, place ${k}: free ${row} times ${column} is ${left}` });
    total.textContent = `${Math.round(capacities.flat().reduce((a, capacity) => a + capacity))} of ${side ** 2}`;
    buttons.forEach((button, index) => { button.disabled = channels === [1, side][index]; });
    Object.assign(root, { capacities, channels, back }); // for the tests
  }
  buttons.forEach((button, index) => button.addEventListener("click", () => {
    channels += [-1, 1][index];
    svg.classList.remove("fresh");
    show();
    says.textContent = `${channels} channel${channels > 1 ? "s" : ""} in the middle. ${root.words}`;
  }));
  show();
});
