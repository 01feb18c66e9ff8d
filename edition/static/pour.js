/* Litres of capacity that are poured into jars, by hand or in the shapes of three models; no jar holds more than one. */
live.stages("pour", 441.6, 249.6, "Jars into which capacity can be poured", ({ root, svg, values, says, buttons }) => {
  const { shapes, litres: rest } = values, invitation = says.textContent, { draw, set } = live;
  const RIM = 66, BOTTOM = 196, STEP = 0.05, MOST = 5, count = shapes[0].length, pitch = 405.6 / count; // litres at most
  const boxes = [...Array(count).keys()].map((k) => ({ x: 18 + pitch * (k + 0.14), width: 0.72 * pitch }));
  let litres = rest, levels = shapes[0].map((share) => litres * share);

  const jugs = live.jars(svg, [...Array(MOST).keys()].map((k) => ({ x: 18 + 26 * k, width: 20 })), 12, 42);
  const left = draw(svg, "text", { class: "end", y: 33 });
  const jars = live.jars(svg, boxes, RIM, BOTTOM);
  draw(jars.group, "text", { class: "end", x: 18, y: 240 }, "oldest input");
  draw(jars.group, "text", { class: "end newest", x: 423.6, y: 240 }, "newest");
  const poured = () => levels.reduce((total, level) => total + level, 0);
  const tops = boxes.map((box, index) => {
    const group = draw(svg, "g"), pour = (wanted) => {
      const room = Math.min(1, levels[index] + litres - poured()), level = Math.max(0, Math.round(wanted / STEP) * STEP);
      levels[index] = Math.min(level, room);
      show(room < Math.min(1, level) - 1e-9 ? "Nothing is left to pour: lower another jar first." : "");
    };
    draw(group, "rect", { class: "grasp", x: 18 + pitch * index, y: RIM - 12, width: pitch, height: BOTTOM - RIM + 36 });
    const top = draw(group, "line", { class: "top", x1: box.x, x2: box.x + box.width });
    live.handle(group, { "aria-label": `Input ${index + 1}`, "aria-valuemin": 0, "aria-valuemax": 1, "aria-orientation": "vertical" }, {
      start: (x, y) => (pour((BOTTOM - y) / (BOTTOM - RIM)), (BOTTOM - y) / (BOTTOM - RIM)),
      move: (dx, dy, begun) => pour(begun - dy / (BOTTOM - RIM)),
      step: (right, up) => pour(levels[index] + (right + up) * STEP),
    });
    return { group, top };
  });
  live.hand(svg, boxes[Math.floor(count / 2)].x + 0.36 * pitch, RIM + 40);

  function show(words = "") {
    const rest = litres - poured();
    jars.fill(levels, true, (numbers) => `Capacity of each input, the oldest first: ${numbers}`);
    const inJugs = [...Array(MOST).keys()].map((k) => live.clamp(rest - k, 0, 1));
    jugs.fill(inJugs, false, () => `${rest.toFixed(2)} of ${litres} left to pour`);
    jugs.group.querySelectorAll(".free").forEach((jug, k) => { jug.style.display = k < litres ? "" : "none"; });
    set(left, { x: 18 + 26 * litres + 8 }).textContent = `${rest.toFixed(2)} of ${litres} left`;
    tops.forEach(({ group, top }, index) => {
      const y = BOTTOM - (BOTTOM - RIM) * levels[index];
      set(top, { y1: y, y2: y });
      set(group, { "aria-valuenow": levels[index].toFixed(2), "aria-valuetext": levels[index].toFixed(2) });
    });
    says.textContent = words || (svg.classList.contains("fresh") ? invitation
      : rest > 1e-9 ? `${rest.toFixed(2)} left to pour.` : `All poured: some ${litres} equations give the inputs just these capacities.`);
    Object.assign(root, { levels, litres }); // for the tests
  }
  let model = 0;
  const fill = () => {
    const wanted = shapes[model].map((share) => litres * share), most = Math.max(...wanted);
    levels = wanted.map((level) => Math.min(1, level));
    svg.classList.remove("fresh");
    show(most > 1 + 1e-9 ? `Impossible in this shape: one jar would have to hold ${most.toFixed(2)}.` : "");
  };
  buttons.slice(0, 3).forEach((button, index) => button.addEventListener("click", () => { model = index; fill(); }));
  buttons[3].addEventListener("click", () => { levels = levels.map(() => 0); svg.classList.remove("fresh"); show(); });
  buttons[4].addEventListener("click", () => { litres = (litres % MOST) + 1; fill(); });
  show();
});
