/* Constraints on three inputs: arrows that are dragged, the errors that remain, and what each input is held by
   (budget-kernel.js computes). Places are as capacity_studies/figures/linear/section_3_capacity.py has them. */
live.stages("plane", 441.6, 288, "Constraints on three inputs whose directions can be changed, and their capacity", ({ root, svg, values, says, buttons }) => {
  const { frame, normals: rest, errors } = values, invitation = says.textContent, { draw, set } = live;
  const X = 140, Y = 144, UNIT = 118, SPREAD = 45; // a normal has the length of a unit, an error of 1 that of the spread
  const STEP = 0.06, SAME = Math.cos(Math.PI / 60); // of a key; arrows within 3 degrees become one
  const dot = (a, b) => a.reduce((total, value, index) => total + value * b[index], 0);
  const plus = (a, b, factor) => a.map((value, index) => value + factor * b[index]);
  const scaled = (a, length = Math.hypot(...a)) => a.map((value) => value / length);
  const at = (point, size) => [X + size * dot(point, frame[0]), Y - size * dot(point, frame[1])];
  const ends = (a, size) => {
    const [x1, y1] = at(a, -size), [x2, y2] = at(a, size);
    return { x1, y1, x2, y2 };
  };
  let normals = structuredClone(rest), count = 1;

  const axes = [0, 1, 2].map((index) => [0, 1, 2].map((other) => Number(other === index)));
  draw(svg, "circle", { class: "ball", cx: X, cy: Y, r: UNIT });
  const solutions = draw(svg, "path", { class: "solutions" });
  const names = []; // above the dots
  axes.forEach((axis, index) => {
    const [x, y] = at(axis, 132);
    draw(svg, "line", { class: "axis", ...ends(axis, 118) });
    names.push(() => draw(svg, "text", { class: "axes", x, y: y + 5 }, `x${"₁₂₃"[index]}`));
  });
  const dots = errors.map(() => draw(svg, "circle", { class: "error", r: 2.5 }));
  for (const name of names) name();
  const arrows = normals.map((_, index) => {
    const turn = (u, v) => {
      const size = Math.max(1, Math.hypot(u, v)), [x, y] = [u / size, v / size];
      const front = Math.sqrt(Math.max(0, 1 - x * x - y * y));
      const found = scaled([0, 1, 2].map((k) => x * frame[0][k] + y * frame[1][k] + front * frame[2][k]));
      const other = normals[1 - index];
      normals[index] = count > 1 && Math.abs(dot(found, other)) > SAME ? [...other] : found;
      show();
    };
    const place = () => [dot(normals[index], frame[0]), dot(normals[index], frame[1])];
    const line = draw(svg, "line", { class: "arrow", x1: X, y1: Y });
    const { group, put } = live.knob(svg, { "aria-label": `Constraint ${index + 1}`, "aria-valuemin": -1, "aria-valuemax": 1 }, {
      start: place,
      move: (dx, dy, [u, v]) => turn(u + dx / UNIT, v - dy / UNIT),
      step: (x, y) => turn(place()[0] + live.clamp(STEP * x, -1, 1), place()[1] + live.clamp(STEP * y, -1, 1)),
    });
    return { group, line, put };
  });
  const boxes = axes.map((_, index) => ({ x: 296 + 46 * index, width: 34 }));
  const jars = live.jars(svg, boxes, 76, 236);
  boxes.forEach((box, index) => draw(jars.group, "text", { class: "end middle", x: box.x + 17, y: 274 }, `x${"₁₂₃"[index]}`));
  const total = draw(svg, "text", { class: "total", x: 296, y: 52, "aria-hidden": true });
  live.hand(svg, ...plus(at(rest[0], UNIT), [0, -26], 1));

  function show() {
    const { capacities, total: spent, basis } = budgetKernel.spent([normals.slice(0, count)]);
    const free = basis.slice(0, spent).reduce((left, known) => left.map((a) => plus(a, known, -dot(a, known))), errors);
    free.forEach((error, index) => {
      const [cx, cy] = at(error, SPREAD);
      set(dots[index], { cx, cy });
    });
    arrows.forEach(({ group, line, put }, index) => {
      const normal = normals[index], [x2, y2] = at(normal, UNIT);
      set(line, { x2, y2 });
      put(x2, y2);
      for (const part of [group, line]) part.style.display = index < count ? "" : "none";
      set(group, { "aria-valuenow": normal[0].toFixed(2), "aria-valuetext": `normal ${normal.map(live.signed).join(", ")}` });
    });
    solutions.setAttribute("d", outline(basis, spent));
    jars.fill(capacities, true, (numbers) => `Capacity of the three inputs: ${numbers}; in all ${spent} of 3`);
    total.textContent = `${spent} of 3`;
    says.textContent = count === 1 ? invitation
      : spent === 2 ? "Two constraints leave a line. Move one arrow onto the other."
        : "Both say the same: together they spend 1, not 2.";
    buttons[1].textContent = count === 1 ? "Second constraint" : "One constraint";
    Object.assign(root, { capacities, normals: normals.slice(0, count) }); // for the tests
  }
  /* Where the errors can be: a disc, or a line. */
  function outline(basis, spent) {
    const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
    if (spent === 2) {
      const along = cross(basis[0], basis[1]);
      return `M${at(along, -UNIT)}L${at(along, UNIT)}`;
    }
    const [normal] = basis, least = normal.map(Math.abs), axis = axes[least.indexOf(Math.min(...least))];
    const a = scaled(cross(normal, axis)), b = cross(normal, a);
    const around = [...Array(72).keys()].map((k) => at(plus(a.map((value) => value * Math.cos(k * Math.PI / 36)), b, Math.sin(k * Math.PI / 36)), UNIT));
    return `M${around.join("L")}Z`;
  }

  buttons[0].addEventListener("click", () => { normals = structuredClone(rest); count = 1; show(); });
  buttons[1].addEventListener("click", () => {
    count = 3 - count;
    if (count > 1 && Math.abs(dot(...normals)) > SAME) normals[1] = [...rest[Math.abs(dot(normals[0], rest[1])) > SAME ? 0 : 1]];
    svg.classList.remove("fresh");
    show();
  });
  show();
});
