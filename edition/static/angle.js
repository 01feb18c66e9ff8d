/* A direction at an angle to the normal of a constraint: the square of its projection is its capacity. */
live.stages("angle", 441.6, 201.6, "A direction that can be turned, and its capacity", ({ root, svg, values, says }) => {
  const { draw, set } = live, X = 150, Y = 156, UNIT = 118, TOP = 38, LEFT = 340, DEGREE = Math.PI / 180;
  let degrees = values.angle;

  draw(svg, "line", { class: "solutions", x1: X, y1: TOP - 14, x2: X, y2: Y + 26 });
  draw(svg, "line", { class: "normal", x1: X - UNIT - 8, y1: Y, x2: X + UNIT + 8, y2: Y });
  draw(svg, "text", { class: "end", x: X + UNIT + 14, y: Y + 5 }, "normal");
  draw(svg, "text", { class: "end", x: X + 8, y: Y + 30 }, "solutions");
  const drop = draw(svg, "line", { class: "drop" }), shadow = draw(svg, "line", { class: "shadow", x1: X, y1: Y, y2: Y });
  const line = draw(svg, "line", { class: "direction", x1: X, y1: Y }), name = draw(svg, "text");
  const jars = live.jars(svg, [{ x: LEFT, width: 44 }], TOP, Y);
  draw(jars.group, "text", { class: "end middle", x: LEFT + 22, y: Y + 35 }, "capacity");
  const turn = (wanted) => { degrees = live.clamp(Math.round(wanted), 0, 180); show(); };
  const { group, put } = live.knob(svg, { "aria-label": "Angle between direction and normal", "aria-valuemin": 0, "aria-valuemax": 180 }, {
    start: () => [X + UNIT * Math.cos(degrees * DEGREE), Y - UNIT * Math.sin(degrees * DEGREE)],
    move: (dx, dy, [x, y]) => turn(Math.atan2(Math.max(0, Y - y - dy), x + dx - X) / DEGREE),
    step: (right, up) => turn(degrees + 5 * (up - right)),
  });
  live.hand(svg, X + UNIT * Math.cos(degrees * DEGREE) - 36, Y - UNIT * Math.sin(degrees * DEGREE) - 12);

  function show() {
    const [x, y] = [Math.cos(degrees * DEGREE), Math.sin(degrees * DEGREE)], [x2, y2] = [X + UNIT * x, Y - UNIT * y];
    set(line, { x2, y2 });
    set(shadow, { x2 });
    set(drop, { x1: x2, y1: y2, x2, y2: Y });
    put(x2, y2);
    set(name, { x: X + UNIT * 1.2 * x, y: Y + 5 - UNIT * 1.17 * y }).textContent = degrees % 180 ? `${degrees}°` : "";
    const words = `${degrees}°: the projection is ${Math.abs(x).toFixed(3)} long, its square is ${(x * x).toFixed(2)}.`;
    jars.fill([x * x], true, (capacity) => `Capacity of the direction: ${capacity}`);
    set(group, { "aria-valuenow": degrees, "aria-valuetext": words });
    if (!svg.classList.contains("fresh")) says.textContent = words;
    Object.assign(root, { degrees, capacities: [x * x] }); // for the tests
  }
  show();
});
