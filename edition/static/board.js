/* A board of layers: one unit of capacity falls from an output to its inputs, a third to each of three neighbours per
   layer; the floor is dragged, balls are dropped. */
live.stages("board", 441.6, 259.2, "Layers that hand capacity down, whose number can be changed", ({ root, svg, values, buttons, says }) => {
  const { layers: most } = values, invitation = says.textContent, { draw, set } = live;
  const X = 220.8, TOP = 16, DOWN = 2.6, ACROSS = 3.2, BASE = 236, BELL = 28; // places; the bell stands on its base
  const BALLS = 100;
  let layers = most, balls = [];

  const states = [[1]]; // the capacity of each position, layer by layer down
  for (let l = 0; l < most; l++)
    states.push([...Array(2 * l + 3).keys()].map((k) => ((states[l][k] ?? 0) + (states[l][k - 1] ?? 0) + (states[l][k - 2] ?? 0)) / 3));
  /* Where a share of a profile is reached from the left, interpolated. */
  const quantile = (profile, share) => {
    let sum = profile[0], k = 0;
    if (sum >= share) return 0;
    while (sum + profile[k + 1] < share) sum += profile[++k];
    return k + (share - sum) / profile[k + 1];
  };
  const regions = states.map((profile) => quantile(profile, 0.975) - quantile(profile, 0.025));

  const place = (offset, layer) => `${(X + ACROSS * offset).toFixed(2)} ${(TOP + DOWN * layer).toFixed(2)}`;
  const sides = (half) => {
    const levels = [...Array(layers + 1).keys()];
    return `M${[...levels.map((l) => place(half(l), l)), ...levels.reverse().map((l) => place(-half(l), l))].join("L")}Z`;
  };
  const cone = draw(svg, "path", { class: "seen" }), band = draw(svg, "path", { class: "held" });
  const paths = draw(svg, "path", { class: "paths" }), bell = draw(svg, "path", { class: "capacity" });
  const pile = draw(svg, "path", { class: "pile" });
  draw(svg, "circle", { class: "node", cx: X, cy: TOP, r: 5 });
  draw(svg, "text", { class: "end", x: X + 12, y: TOP + 5 }, "one output");
  const below = draw(svg, "text", { x: X, y: 253 });
  const floor = draw(svg, "g"), parts = ["halo", "line", "grasp"].map((name) => draw(floor, "line", { class: name }));
  const hand = live.hand(svg, 0, 0);

  const change = (wanted) => {
    layers = live.clamp(Math.round(wanted), 1, most);
    balls = [];
    show();
  };
  live.handle(floor, { "aria-label": "Layers", "aria-valuemin": 1, "aria-valuemax": most, "aria-orientation": "vertical" }, {
    start: () => layers,
    move: (dx, dy, begun) => change(begun + dy / DOWN),
    step: (x, y) => change(layers + x + y),
  });

  function show() {
    const profile = states[layers], seen = 2 * layers + 1, held = regions[layers];
    set(cone, { d: sides((l) => l + 0.5) });
    set(band, { d: sides((l) => regions[l] / 2) });
    const top = Math.max(...profile), stairs = profile.map((value, k) => {
      const left = X + ACROSS * (k - layers - 0.5), y = BASE - (BELL * value) / top;
      return `L${left} ${y}H${left + ACROSS}`;
    });
    set(bell, { d: `M${X - ACROSS * (layers + 0.5)} ${BASE}${stairs.join("")}V${BASE}Z` });
    set(paths, { d: balls.map((ball) => `M${ball.map(place).join("L")}`).join("") });
    const count = {};
    set(pile, { d: balls.map((ball) => {
      const at = ball[layers], height = (count[at] = (count[at] ?? 0) + 1);
      return `M${X + ACROSS * at} ${BASE - (BELL * height) / (BALLS * top)}h0`;
    }).join("") });
    const y = TOP + DOWN * layers;
    for (const line of parts) set(line, { x1: X - ACROSS * (layers + 0.5) - 8, x2: X + ACROSS * (layers + 0.5) + 8, y1: y, y2: y });
    set(hand, { transform: `translate(${X + ACROSS * layers * 0.7} ${y})` });
    below.textContent = `95 % in ${held.toFixed(0)} of ${seen} inputs`;
    const words = `${layers} layer${layers > 1 ? "s" : ""}: ${Math.round((100 * held) / seen)} % of the ${seen} inputs hold 95 % of the capacity`;
    set(floor, { "aria-valuenow": layers, "aria-valuetext": words });
    const inside = balls.filter((ball) => Math.abs(ball[layers]) <= held / 2).length;
    says.textContent = balls.length ? `${inside} of ${BALLS} balls fell where 95 % of the capacity lies.` : invitation;
    Object.assign(root, { profile, held, balls }); // for the tests
  }
  buttons[0].addEventListener("click", () => change(most));
  buttons[1].addEventListener("click", () => {
    svg.classList.remove("fresh");
    balls = [...Array(BALLS)].map(() => {
      const ball = [0];
      for (let l = 0; l < layers; l++) ball.push(ball[l] + Math.floor(3 * Math.random()) - 1);
      return ball;
    });
    show();
  });
  show();
});
