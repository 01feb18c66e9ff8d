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

  /* Powers of two up to n, or some multiples where the axis is linear; always the most recent input. */
  function lagTicks(n, logarithmic) {
    const powers = Array.from({ length: 1 + Math.floor(Math.log2(n)) }, (_, power) => 2 ** power);
    const step = Math.max(1, 2 ** Math.floor(Math.log2((n + 1) / 4)));
    return logarithmic ? powers : [1, ...powers.map((_, k) => (k + 1) * step).filter((lag) => lag > 1 && lag <= n)];
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
    const names = curves.length > 1 ? curves : [];
    const legend = names.map(({ name, style, className = "curve" }, index) => make("g", { style, transform: `translate(${ROOM.left + 90 * index} 12)` },
      make("path", { d: "M0 0H24", class: className }), text(name, 30, 4, "start")));
    const said = text("", right, 16, "end", "said"), cursor = line(0, ROOM.top, 0, bottom, "cursor");
    const chart = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": true }, ...grid, ...more(across, up, right, text, line), ...drawn, ...legend, cursor, said);
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

  /* Capacity per input; the most recent input is on the right, as in the book. */
  function allocation(node, shown, kept, axis, colors) {
    const logarithmic = axis === "log", n = Math.max(shown.inputs, kept?.inputs ?? 0);
    const curve = (analysis, name, color, className) => ({
      name, className, style: `color: ${color}`, stepped: !logarithmic,
      points: lagsOf(analysis).map((lag, index) => [lag, analysis.allocation[index]]),
      say: ([lag, value]) => (name === "kept" ? `kept ${value.toFixed(3)}` : `lag ${lag}: ${value.toFixed(3)}`),
    });
    const curves = [curve(shown, "shown", colors.capacity, "curve main")];
    if (kept) curves.push(curve(kept, "kept", "var(--pst-color-text-muted)", "curve dashed"));
    const x = { title: `lag of the input (samples${logarithmic ? ", log scale" : ""})`, logarithmic, ticks: lagTicks(n, logarithmic) };
    x.range = logarithmic ? [n * 1.05, 0.95] : [n + 0.5, 0.5];
    draw(node, x, { title: "capacity per input", range: [0, 1.05], ticks: [0, 0.25, 0.5, 0.75, 1] }, curves);
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

  return { allocation, totals, losses };
})();
