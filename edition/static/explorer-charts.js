/* The charts of the explorer, drawn by plotly.js in the colours of the book and of the theme. */
const explorerCharts = (() => {
  const OPTIONS = { displayModeBar: false, responsive: true, showTips: false };
  const lags = ({ inputs }) => Array.from({ length: inputs }, (_, index) => inputs - index);

  /* Powers of two up to n, or some multiples where the axis is linear; always the most recent input. */
  function ticks(n, logarithmic) {
    const powers = Array.from({ length: 1 + Math.floor(Math.log2(n)) }, (_, power) => 2 ** power);
    const step = Math.max(1, 2 ** Math.floor(Math.log2((n + 1) / 4)));
    return logarithmic ? powers : [1, ...powers.map((_, k) => (k + 1) * step).filter((lag) => lag > 1 && lag <= n)];
  }

  function layout(node, x, y, more = {}) {
    const theme = getComputedStyle(document.documentElement);
    const grid = theme.getPropertyValue("--pst-color-border");
    const axis = { gridcolor: grid, linecolor: grid, zerolinecolor: grid, automargin: true, fixedrange: true };
    return {
      font: { family: getComputedStyle(node).fontFamily, size: 13, color: theme.getPropertyValue("--pst-color-text-base") },
      paper_bgcolor: "transparent",
      plot_bgcolor: "transparent",
      margin: { l: 10, r: 10, t: 20, b: 10 },
      hovermode: "x",
      dragmode: false,
      showlegend: false,
      xaxis: { ...axis, ...x, title: { text: x.title } },
      yaxis: { ...axis, ...y, title: { text: y.title } },
      ...(node.closest(".printed") && { width: node.clientWidth, height: node.clientHeight }), // not measured in time
      ...more,
    };
  }

  /* Capacity per input; the most recent input is on the right, as in the book. */
  function allocation(node, shown, kept, axis, colors) {
    const logarithmic = axis === "log";
    const trace = (analysis, name, line) => ({
      x: lags(analysis), y: analysis.allocation, name, mode: "lines", line: { shape: logarithmic ? "linear" : "hvh", ...line },
      hovertemplate: `lag %{x}: %{y:.3f}<extra>${name}</extra>`,
    });
    const traces = [trace(shown, "shown", { color: colors.capacity, width: 2.5 })];
    if (kept) traces.unshift(trace(kept, "kept", { color: colors.kept, width: 2, dash: "dash" }));
    const n = Math.max(shown.inputs, kept?.inputs ?? 0);
    const tickvals = ticks(n, logarithmic);
    const range = logarithmic ? [Math.log10(n * 1.05), Math.log10(0.95)] : [n + 0.5, 0.5];
    const x = { title: `lag of the input (samples${logarithmic ? ", log scale" : ""})`, type: axis, range, tickvals };
    const legend = { orientation: "h", x: 0, y: 1, yanchor: "bottom" };
    const more = { showlegend: Boolean(kept), legend, margin: { l: 10, r: 10, t: 45, b: 10 } }; // the legend fits in
    Plotly.react(node, traces, layout(node, x, { title: "capacity per input", range: [0, 1.05] }, more), OPTIONS);
  }

  /* A number of each model of the family against its channels, with a ring around the model that is shown. */
  function against(node, title, channels, values, index, color, y, more) {
    const line = { x: channels, y: values, mode: "lines+markers", line: { color }, marker: { color, size: 7 } };
    const ring = { size: 16, color: "rgba(0,0,0,0)", line: { color, width: 3 } };
    const traces = [
      { ...line, hovertemplate: "%{x} channels: %{y}<extra></extra>" },
      { x: [channels[index]], y: [values[index]], mode: "markers", marker: ring, hoverinfo: "skip" },
    ];
    const x = { title: "channels (log scale)", type: "log", tickvals: channels };
    Plotly.react(node, traces, layout(node, x, { title, ...y }, more), OPTIONS);
  }

  function totals(node, channels, family, index, colors) {
    const n = family[0].inputs;
    const full = { type: "line", xref: "paper", x0: 0, x1: 1, y0: n, y1: n, line: { color: colors.kept, width: 1, dash: "dash" } };
    const label = { xref: "paper", x: 0, y: n, text: `${n} inputs`, showarrow: false, xanchor: "left", yanchor: "top" };
    const more = { shapes: [full], annotations: [label] };
    const values = family.map((analysis) => analysis.total);
    against(node, "total capacity", channels, values, index, colors.capacity, { range: [0, 1.08 * n] }, more);
  }

  function losses(node, channels, family, index, colors) {
    const values = family.map((analysis) => analysis.loss);
    const decades = values.map(Math.log10);
    const range = [Math.floor(Math.min(...decades)), Math.ceil(Math.max(...decades))];
    range[1] += range[1] === range[0];
    const dtick = Math.ceil((range[1] - range[0]) / 6); // powers of ten only
    const y = { type: "log", exponentformat: "power", range: [range[0] - 0.04 * dtick, range[1] + 0.04 * dtick], tick0: range[0], dtick };
    against(node, "loss (log scale)", channels, values, index, colors.loss, y);
  }

  return { allocation, totals, losses };
})();
