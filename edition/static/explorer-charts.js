/* The charts of the explorer, drawn as SVG as wide as their places; colours of the theme are those of explorer.css. */
const explorerCharts = (() => {
  const ROOM = { left: 62, right: 14, top: 30, bottom: 44 }; // for what stands beside the axes, in pixels
  const make = (tag, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const lagsOf = ({ inputs }) => Array.from({ length: inputs }, (_, index) => inputs - index);
  const raised = (power) => [...`${power}`].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign])).join("");
  const upTo = (last, step) => Array.from({ length: 1 + Math.floor(last / step + 1e-9) }, (_, index) => index * step);

  /* Where a value of an axis is, in pixels. */
  function scale({ range: [low, high], logarithmic }, start, end) {
    const at = logarithmic ? Math.log : (value) => value;
    return (value) => start + ((at(value) - at(low)) / (at(high) - at(low))) * (end - start);
  }

  /* Some multiples of a power of two up to n, and the most recent input. */
  function lagTicks(n) {
    const step = Math.max(1, 2 ** Math.floor(Math.log2((n + 1) / 4)));
    return [1, ...upTo(n, step).filter((lag) => lag > 1)];
  }

  /* A chart of curves: their points, how they are drawn, and what is said of a point that is pointed at. */
  function draw(node, x, y, curves, more = () => []) {
    const { clientWidth: width, clientHeight: height } = node, [bottom, right] = [height - ROOM.bottom, width - ROOM.right];
    const across = scale(x, ROOM.left, right), up = scale(y, bottom, ROOM.top);
    const text = (words, left, top, anchor, className = "label") => make("text", { x: left, y: top, "text-anchor": anchor, class: className }, words);
    const line = (x1, y1, x2, y2, className) => make("line", { x1, y1, x2, y2, class: className });
    const grid = [
      ...x.ticks.flatMap((tick) => [line(across(tick), ROOM.top, across(tick), bottom, "grid"), text(tick, across(tick), bottom + 17, "middle")]),
      ...y.ticks.flatMap((tick) => [line(ROOM.left, up(tick), right, up(tick), "grid"), text(y.words?.(tick) ?? tick, ROOM.left - 7, up(tick) + 4, "end")]),
      text(x.title, (ROOM.left + right) / 2, height - 6, "middle", "xtitle"),
      make("text", { transform: `translate(14 ${(ROOM.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle", class: "ytitle" }, y.title),
    ];
    const drawn = curves.map(({ points, style, stepped, dots, className = "curve" }) => {
      const places = points.map(([a, b]) => [across(a), up(b)]), middle = (index) => (places[index - 1][0] + places[index][0]) / 2;
      const path = places.map(([a, b], index) => (index && stepped ? `H${middle(index)}V${b}H${a}` : `${index ? "L" : "M"}${a} ${b}`)).join("");
      const marks = dots ? places.map(([cx, cy]) => make("circle", { cx, cy, r: 3.5, fill: "currentColor" })) : [];
      return make("g", { style }, make("path", { d: path, class: className }), ...marks);
    });
    const said = text("", right, 16, "end", "said"), cursor = line(0, ROOM.top, 0, bottom, "cursor");
    const chart = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": true }, ...grid, ...more(across, up, right, text, line), ...drawn, cursor, said);
    chart.addEventListener("pointermove", (event) => {
      const place = event.clientX - chart.getBoundingClientRect().left;
      const far = ([a]) => Math.abs(across(a) - place), found = curves.map(({ points }) => points.reduce((best, point) => (far(point) < far(best) ? point : best)));
      const [at] = found.reduce((best, point) => (far(point) < far(best) ? point : best));
      for (const end of ["x1", "x2"]) cursor.setAttribute(end, across(at));
      said.textContent = curves.map(({ points, say }) => points.filter(([a]) => a === at).map(say)).flat().join("; ");
      chart.classList.add("pointed");
    });
    chart.addEventListener("pointerleave", () => chart.classList.remove("pointed"));
    node.replaceChildren(chart);
  }

  /* Jars by lag, the most recent input on the right as in the book: with the lags that one would like to reach, as far as
     there is room, and those that only the last dilation reaches. */
  function allocation(node, shown, kept, goals, before, colors) {
    const seen = Math.max(shown.inputs, kept?.inputs ?? 0);
    const near = goals.filter(([lag]) => lag <= 2 * seen), n = Math.max(seen, ...near.map(([lag]) => lag + 1));
    const curve = (analysis, name, className) => ({
      className, style: "color: var(--pst-color-text-base)", stepped: true,
      points: lagsOf(analysis).map((lag, index) => [lag, analysis.allocation[index]]),
      say: ([lag, value]) => (name ? `${name} ${value.toFixed(3)}` : `lag ${lag}: ${value.toFixed(3)}`),
    });
    const curves = [curve(shown, "", "curve outline")];
    if (kept) curves.push(curve(kept, "kept", "curve dashed"));
    const x = { title: "lag of the input (steps; 1 is the most recent)", ticks: lagTicks(n), range: [n + 0.5, 0.5] };
    draw(node, x, { title: "capacity", range: [0, 1.3], ticks: [0, 0.5, 1] }, curves, (across, up, right, text, line) => {
      const pitch = across(1) - across(2), width = pitch > 5 ? 0.76 * pitch : pitch;
      const jar = (lag, value, attributes) => make("rect", { x: across(lag) - width / 2, width, y: up(value), height: up(0) - up(value), ...attributes });
      const jars = lagsOf(shown).flatMap((lag, index) => [jar(lag, 1, { class: "free" }), jar(lag, shown.allocation[index], { class: "held", fill: colors.capacity })]);
      const marks = near.flatMap(([lag, what]) => {
        const left = across(lag) < (ROOM.left + right) / 2;
        return [line(across(lag), up(1.3), across(lag), up(0), "goal"), text(`${what}: ${lag}`, across(lag) + (left ? 5 : -5), up(1.3) + 11, left ? "start" : "end", "label goal")];
      });
      if (!before) return [...jars, ...marks];
      const [start, end, level] = [across(shown.inputs) - pitch / 2, across(before[0]) - pitch / 2, up(1.05)];
      const brace = make("path", { d: `M${start} ${level + 5}V${level}H${end}V${level + 5}`, class: "brace" });
      return [...jars, ...marks, brace, text(`only with dilation ${before[1]}`, (start + end) / 2, level - 5, "middle")];
    });
  }

  /* A number of each model of the family against its channels, with a ring around the model that is shown. */
  function against(node, y, channels, values, index, color, say, more = () => []) {
    const last = channels.length - 1, x = { title: "channels (log scale)", logarithmic: true, ticks: channels };
    x.range = [channels[0] * 0.88, Math.max(channels[last], channels[0] * 1.1) * 1.12];
    const curve = { points: channels.map((number, place) => [number, values[place]]), style: `color: ${color}`, dots: true, say };
    const ring = (across, up) => make("circle", { cx: across(channels[index]), cy: up(values[index]), r: 8, class: "ring", stroke: color });
    draw(node, x, y, [curve], (...places) => [...more(...places), ring(...places)]);
  }

  function totals(node, channels, family, index, colors) {
    const n = family[0].inputs, values = family.map(({ total }) => total), step = 2 ** Math.max(0, Math.floor(Math.log2((n + 1) / 4)));
    const full = (across, up, right, text, line) => [line(ROOM.left, up(n), right, up(n), "full"), text(`${n} inputs`, ROOM.left + 4, up(n) - 6, "start")];
    const y = { title: "total capacity", range: [0, 1.08 * n], ticks: upTo(n, step) };
    against(node, y, channels, values, index, colors.capacity, ([number, total]) => `${number} channels: ${total}`, full);
  }

  function losses(node, channels, family, index, colors) {
    const values = family.map(({ loss }) => loss), powers = values.map(Math.log10);
    let [low, high] = [Math.floor(Math.min(...powers)), Math.ceil(Math.max(...powers))];
    high += high === low;
    const step = Math.ceil((high - low) / 6), ticks = upTo(high - low, step).map((power) => 10 ** (low + power)); // powers of ten only
    const y = { title: "loss (log scale)", logarithmic: true, range: [10 ** (low - 0.04 * step), 10 ** (high + 0.04 * step)], ticks };
    y.words = (tick) => `10${raised(Math.round(Math.log10(tick)))}`;
    against(node, y, channels, values, index, colors.loss, ([number, loss]) => `${number} channels: ${loss.toExponential(1)}`);
  }

  return { allocation, totals, losses, raised };
})();
