/* The living budget: the network of a picture, whose weights are dragged, with a jar of capacity for each input below
   (budget-kernel.js computes). Places are as capacity_studies/figures/intro.py has them. */
live.stages("budget", 441.6, 288, "A network whose weights can be changed, and what it spends on each input", ({ root, svg, values, says, buttons }) => {
  const { dilations, weights: rest, generic, states } = values, invitation = says.textContent, { draw } = live;
  const STEP = 0.05, REACH = 110; // of a weight; units of the picture from 0 to 1
  const WIDTH = 441.6, TOP = 16, FOOT = 160, RIM = 176, BOTTOM = 248;
  const { inputs, lags, x, y, boxes } = live.stack(dilations, rest.map((layer) => layer[0].length), [WIDTH, TOP, FOOT]);
  const xOf = (lag, channel, channels) => x(lag) + 9 * (channel - (channels - 1) / 2);
  let weights = structuredClone(rest), moved = 0; // how often by hand or by words

  const links = [];
  for (let l = rest.length - 1; l >= 0; l--)
    for (let t = rest[l][0].length - 1; t >= 0; t--)
      rest[l].forEach((taps, o) => taps[t].forEach((_, i) => links.push({ l, t, o, i })));

  for (const link of links) {
    const { l, t, o, i } = link, back = t * dilations[l], width = rest[l][0][0].length;
    const channels = rest[l].length * width > 1 ? `, channel ${i + 1} to ${o + 1}` : "";
    const name = `Layer ${l + 1}, ${back} step${back === 1 ? "" : "s"} back${channels}`;
    const group = link.group = draw(svg, "g");
    const ends = lags[l + 1].map((lag) => ({
      x1: xOf(lag, o, rest[l].length), y1: y(l + 1), x2: xOf(lag + back, i, width), y2: y(l),
    }));
    for (const kind of ["halo", "line", "hold"]) for (const end of ends) draw(group, "line", { class: kind, ...end });
    const [{ x1, x2, y1, y2 }] = ends; // the newest
    live.grip(group, (x1 + x2) / 2, (y1 + y2) / 2);
    const weight = () => weights[l][o][t][i], change = (value) => {
      moved++;
      weights[l][o][t][i] = live.clamp(Math.round(value / STEP) * STEP, -1, 1) || 0; // no minus zero
      show();
    };
    live.handle(group, { "aria-label": name, "aria-valuemin": -1, "aria-valuemax": 1, "aria-orientation": "vertical" }, {
      start: weight,
      move: (dx, dy, begun) => change(begun - dy / REACH),
      step: (x, y) => change(weight() + (x + y) * STEP),
    });
  }
  lags.forEach((places, level) => {
    const channels = level ? rest[level - 1].length : 1;
    for (const lag of places) for (let c = 0; c < channels; c++)
      draw(svg, "circle", { class: "node", cx: xOf(lag, c, channels), cy: y(level), r: 4.5 });
  });
  const jars = live.jars(svg, boxes, RIM, BOTTOM);
  draw(jars.group, "text", { class: "end", x: 18, y: 283 }, "oldest input");
  draw(jars.group, "text", { class: "end newest", x: WIDTH - 18, y: 283 }, "newest");
  draw(svg, "text", { class: "end", x: 18, y: 20, "aria-hidden": true }, "capacity");
  const total = draw(svg, "text", { class: "total", x: 18, y: 58, "aria-hidden": true });
  const first = links[0].group.querySelector(".grip").transform.baseVal[0].matrix; // the hand invites to the first weight
  live.hand(svg, first.e, first.f);

  /* Why the total is not what it is at almost all weights. */
  function reason(spent) {
    if (spent === generic) return invitation;
    const off = weights.flatMap((layer, l) => (layer.flat(2).every((weight) => weight === 0) ? [l + 1] : []));
    const what = `${spent} of ${inputs}`;
    if (off.length > 1) return `Layers ${off.join(" and ")} are switched off: no single weight makes a difference now. ${what}.`;
    if (off.length) return `Layer ${off[0]} is switched off: only its own weights, all 0, could change anything. ${what}.`;
    return `At exactly these weights some directions coincide: ${what}. Move any weight.`;
  }
  function show() {
    const found = budgetKernel(dilations, weights);
    for (const { l, t, o, i, group } of links) {
      const value = weights[l][o][t][i];
      live.set(group, {
        "aria-valuenow": value.toFixed(2), "aria-valuetext": live.signed(value),
        class: value < 0 ? "negative" : value > 0 ? "" : "zero",
      });
      group.style.setProperty("--weight", Math.max(0.1, Math.abs(value)));
    }
    jars.fill(found.capacities, inputs <= 10, (numbers) =>
      `Capacity of each input, the oldest first: ${numbers}; in all ${found.total} of ${inputs}`);
    total.textContent = `${found.total} of ${inputs}`;
    says.textContent = reason(found.total);
    root.capacities = found.capacities; // for the tests
  }

  /* Words of the text lead from what is shown to their weights, a little at a time where motion is wanted. */
  const between = (a, b, share) => Array.isArray(a) ? a.map((each, index) => between(each, b[index], share)) : a + share * (b - a);
  live.words(svg, states, (goal) => {
    const begin = weights, since = performance.now(), mine = ++moved, lasts = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 600;
    const step = (now) => {
      if (mine !== moved) return;
      const share = lasts ? live.clamp((now - since) / lasts, 0, 1) : 1;
      weights = share < 1 ? between(begin, goal, share) : structuredClone(goal);
      show();
      if (share < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  const [again, random] = buttons;
  again.addEventListener("click", () => { moved++; weights = structuredClone(rest); show(); });
  random.addEventListener("click", () => {
    const any = () => Math.round((Math.random() < 0.5 ? -1 : 1) * (0.15 + 0.85 * Math.random()) / STEP) * STEP;
    moved++;
    weights = rest.map((layer) => layer.map((taps) => taps.map((row) => row.map(any))));
    svg.classList.remove("fresh");
    show();
  });
  show();
});
