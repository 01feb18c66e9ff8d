/* The living budget: in the place of a picture the network that it shows, whose weights are dragged, with a jar of capacity
   for each input below (see edition/sphinx_ext/budgets.py; budget-kernel.js computes). On paper the picture stays. */
for (const root of document.querySelectorAll(".living-budget")) {
  const { dilations, weights: rest, generic } = JSON.parse(root.dataset.budget);
  const figure = root.parentElement, picture = figure.querySelector("a.enlarge") ?? figure.querySelector("img");
  const image = figure.querySelector("img"), says = root.querySelector("output"), invitation = says.textContent;
  const STEP = 0.05, REACH = 110; // of a weight; units of the picture from 0 to 1
  const WIDTH = 441.6, HEIGHT = 326.4, TOP = 24, FOOT = 188, RIM = 206, BOTTOM = 286; // as studies/figures/intro.py has them
  const inputs = 1 + rest.reduce((total, layer, l) => total + (layer[0].length - 1) * dilations[l], 0);
  const pitch = (WIDTH - 36) / inputs, xOf = (lag, channel, channels) =>
    18 + pitch * (inputs - lag - 0.5) + 9 * (channel - (channels - 1) / 2);
  const yOf = (level) => FOOT - (level * (FOOT - TOP)) / rest.length;
  let weights = structuredClone(rest);

  const draw = (parent, tag, attributes, text = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return parent.appendChild(element);
  };
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const size = { width: image.getAttribute("width") ?? WIDTH, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "budget fresh", role: "group" };
  for (const [name, value] of Object.entries(size)) svg.setAttribute(name, value);
  svg.setAttribute("aria-label", "A network whose weights can be changed, and what it spends on each input");

  /* Which lags the nodes of each level stand at, from the output down. */
  const lags = [[0]];
  for (let l = rest.length - 1; l >= 0; l--)
    lags.unshift([...new Set(lags[0].flatMap((lag) => rest[l][0].map((_, t) => lag + t * dilations[l])))]);
  const links = [];
  for (let l = rest.length - 1; l >= 0; l--)
    for (let t = rest[l][0].length - 1; t >= 0; t--)
      rest[l].forEach((taps, o) => taps[t].forEach((_, i) => links.push({ l, t, o, i })));

  for (const link of links) {
    const { l, t, o, i } = link, back = t * dilations[l], width = rest[l][0][0].length;
    const channels = rest[l].length * width > 1 ? `, channel ${i + 1} to ${o + 1}` : "";
    const name = `Layer ${l + 1}, ${back} step${back === 1 ? "" : "s"} back${channels}`;
    const group = draw(svg, "g", { role: "slider", tabindex: 0, "aria-label": name, "aria-valuemin": -1, "aria-valuemax": 1, "aria-orientation": "vertical" });
    const ends = lags[l + 1].map((lag) => ({
      x1: xOf(lag, o, rest[l].length), y1: yOf(l + 1), x2: xOf(lag + back, i, width), y2: yOf(l),
    }));
    for (const kind of ["halo", "line", "hold"]) for (const end of ends) draw(group, "line", { class: kind, ...end });
    link.group = group;
    link.change = (value) => {
      weights[l][o][t][i] = Math.min(1, Math.max(-1, Math.round(value / STEP) * STEP)) || 0; // no minus zero
      svg.classList.remove("fresh");
      show();
    };
    let grasped = null;
    group.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false }); // the page stays where it is
    group.addEventListener("pointerdown", (event) => {
      grasped = { y: event.clientY, value: weights[l][o][t][i] };
      group.setPointerCapture(event.pointerId);
      group.focus({ preventScroll: true });
      svg.classList.remove("fresh");
      event.preventDefault();
    });
    group.addEventListener("pointermove", (event) => {
      const unit = (REACH * svg.getBoundingClientRect().width) / WIDTH;
      if (grasped) link.change(grasped.value + (grasped.y - event.clientY) / unit);
    });
    for (const end of ["pointerup", "pointercancel"]) group.addEventListener(end, () => { grasped = null; });
    group.addEventListener("keydown", (event) => {
      const value = weights[l][o][t][i];
      const wanted = {
        ArrowUp: value + STEP, ArrowRight: value + STEP, ArrowDown: value - STEP, ArrowLeft: value - STEP,
        PageUp: value + 0.25, PageDown: value - 0.25, Home: -1, End: 1,
      }[event.key];
      if (wanted === undefined) return;
      event.preventDefault();
      link.change(wanted);
    });
  }
  lags.forEach((places, level) => {
    const channels = level ? rest[level - 1].length : 1;
    for (const lag of places) for (let c = 0; c < channels; c++)
      draw(svg, "circle", { class: "node", cx: xOf(lag, c, channels), cy: yOf(level), r: 4.5 });
  });
  const jars = draw(svg, "g", { role: "img" });
  const drawn = [...Array(inputs).keys()].map((position) => {
    const box = { x: xOf(inputs - 1 - position, 0, 1) - 0.36 * pitch, width: 0.72 * pitch };
    draw(jars, "rect", { class: "free", ...box, y: RIM, height: BOTTOM - RIM });
    const full = draw(jars, "rect", { class: "capacity", ...box });
    return { full, number: draw(jars, "text", { x: box.x + box.width / 2, y: 303 }) };
  });
  draw(jars, "text", { class: "end", x: 18, y: 321 }, "oldest input");
  draw(jars, "text", { class: "end newest", x: WIDTH - 18, y: 321 }, "newest");
  const total = draw(svg, "text", { class: "total", x: 18, y: 48, "aria-hidden": true });
  const middle = links[0].group.querySelector(".line"); // the hand invites to the first weight
  const between = (a, b) => (Number(middle.getAttribute(a)) + Number(middle.getAttribute(b))) / 2;
  const hand = draw(svg, "g", { class: "hand", transform: `translate(${between("x1", "x2")} ${between("y1", "y2")})`, "aria-hidden": true });
  draw(hand, "circle", { r: 13 });
  draw(hand, "path", { d: "M0-8V8M-4-4 0-8 4-4M-4 4 0 8 4 4" });

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
      const value = weights[l][o][t][i], words = value.toFixed(2).replace("-", "−");
      group.setAttribute("aria-valuenow", value.toFixed(2));
      group.setAttribute("aria-valuetext", words);
      group.setAttribute("class", value < 0 ? "negative" : value > 0 ? "" : "zero");
      group.style.setProperty("--weight", Math.max(0.1, Math.abs(value)));
    }
    found.capacities.forEach((capacity, position) => {
      const { full, number } = drawn[position], height = (BOTTOM - RIM) * capacity;
      full.setAttribute("y", BOTTOM - height);
      full.setAttribute("height", height);
      if (inputs <= 10) number.textContent = capacity.toFixed(2);
    });
    const numbers = found.capacities.map((capacity) => capacity.toFixed(2)).join(", ");
    jars.setAttribute("aria-label", `Capacity of each input, the oldest first: ${numbers}; in all ${found.total} of ${inputs}`);
    total.textContent = `${found.total} of ${inputs}`;
    says.textContent = reason(found.total);
    root.capacities = found.capacities; // for the tests
  }

  const [again, random] = root.querySelectorAll("button");
  again.addEventListener("click", () => { weights = structuredClone(rest); show(); });
  random.addEventListener("click", () => {
    const any = () => Math.round((Math.random() < 0.5 ? -1 : 1) * (0.15 + 0.85 * Math.random()) / STEP) * STEP;
    weights = rest.map((layer) => layer.map((taps) => taps.map((row) => row.map(any))));
    svg.classList.remove("fresh");
    show();
  });
  again.disabled = random.disabled = false;
  show();
  picture.classList.add("budget-picture");
  picture.before(svg);
}
