/* The explorer: shows one of the analyses that its page holds (see capacity_studies/explorer.py), and keeps the choice in the
   page's address. It is loaded, after its charts, only on the page that has it. */
document.addEventListener("DOMContentLoaded", () => {
  const root = document.querySelector(".explorer");
  if (!root) return;
  const data = JSON.parse(root.querySelector("script").textContent);
  const ROUNDING = 1e-24; // a loss below it is made of rounding errors

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  /* A choice is what names an analysis: "hierarchical.32.2.power-law". */
  const keyOf = ({ architecture, size, channels, process }) => [architecture, size, channels, process].join(".");
  const analysisOf = (choice) => data.analyses[keyOf(choice)];
  const choiceOf = (key) => {
    const [architecture, size, channels, process] = key.split(".");
    return { architecture, size: Number(size), channels: Number(channels), process };
  };
  const second = (values) => values[Math.min(1, values.length - 1)];
  const first = {
    architecture: Object.keys(data.architectures)[0],
    size: second(data.sizes),
    channels: second(data.channels),
    process: Object.keys(data.processes)[0],
  };

  /* The state and the page's address. */
  let choice, kept, axis;
  function readAddress() {
    const found = new URLSearchParams(location.hash.slice(1) || location.search); // a link from a chapter has the latter
    const named = (name) => (Object.hasOwn(data.analyses, found.get(name) ?? "") ? choiceOf(found.get(name)) : null);
    [choice, kept, axis] = [named("setting") ?? first, named("kept"), found.get("axis") === "log" ? "log" : "linear"];
  }
  function writeAddress() {
    const parts = new URLSearchParams({ setting: keyOf(choice) });
    if (kept) parts.set("kept", keyOf(kept));
    if (axis === "log") parts.set("axis", axis);
    if (location.hash !== `#${parts}`) history.pushState(null, "", `#${parts}`);
  }

  /* Words. */
  function scientific(number) {
    if (number < ROUNDING) return "at rounding error";
    const [digits, power] = number.toExponential(1).split("e");
    const raised = [...power.replace("+", "")].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign])).join("");
    return `${digits}\u00a0×\u00a010${raised}`;
  }
  const dilationsOf = ({ architecture, size }) => data.architectures[architecture].dilations[size];
  const dilationsText = (of) => {
    const each = [...new Set(dilationsOf(of))].join(", "); // none for the recurrent model
    return each && `${each}${data.architectures[of.architecture].order}`;
  };
  function sentence(of) {
    const { inputs, parameters, total, generic, loss, converged, steps, allocation } = analysisOf(of);
    const dilations = dilationsText(of) && ` (dilations ${dilationsText(of)})`;
    const channels = `${of.channels} channel${of.channels === 1 ? "" : "s"}`;
    const recent = allocation.slice(-Math.floor(inputs / 4)).reduce((sum, value) => sum + value, 0);
    return [
      `${data.architectures[of.architecture].name}${dilations}, ${channels}, ${data.processes[of.process].name}: `,
      `total capacity ${total} of ${inputs} inputs, from ${parameters} parameters; loss ${scientific(loss)}; `,
      `the most recent quarter of the inputs has ${Math.round((100 * recent) / total)}\u00a0% of the capacity.`,
      total < generic ? ` Some constraints coincide here, exactly or up to rounding: almost everywhere else the total is ${generic}.` : "",
      converged ? "" : ` The fit was stopped after ${steps} steps, before it had converged.`,
    ].join("");
  }
  /* The code of the setting that is chosen, or its command. */
  function text(kind) {
    const dilations = `[${dilationsOf(choice)?.join(", ")}]`;
    const places = { ...choice, ...data.processes[choice.process], dilations, numbers: dilationsOf(choice)?.join(" ") };
    return data.architectures[choice.architecture][kind].replace(/\{(\w+)\}/g, (_, name) => places[name]);
  }

  /* A text with a button that copies it, and what the button says of it. */
  function copied(snippet, kind) {
    const button = make("button", { type: "button", textContent: kind === "code" ? "Copy" : "Copy as command" });
    const status = make("span", { role: "status" });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(snippet.textContent);
        status.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(snippet);
        status.textContent = "selected: press Ctrl+C to copy";
      }
    });
    return { snippet, status, parts: [make("pre", { tabIndex: 0 }, snippet), button, status] };
  }

  /* The controls: plain HTML, each with its label. */
  const options = (pairs) => pairs.map(([value, text]) => new Option(text, value));
  const radios = (legend, name, values) =>
    make("fieldset", {}, make("legend", { textContent: legend }),
      ...values.map(([value, text]) => make("label", {}, make("input", { type: "radio", name, value }), text)));
  const labelled = (text, ...controls) => make("label", {}, make("span", { textContent: text }), ...controls);
  const size = make("select", { name: "size" });
  const process = make("select", { name: "process" });
  const channels = make("input", { type: "range", name: "channels", min: 0, max: data.channels.length - 1 });
  const count = make("output");
  const keep = make("button", { type: "button" });
  const restart = make("button", { type: "button", textContent: "Start again" });
  process.append(...options(Object.entries(data.processes).map(([value, { name }]) => [value, name])));
  const form = make("form", { className: "explorer-controls" },
    radios("Architecture", "architecture", Object.keys(data.architectures).map((name) => [name, name])),
    labelled("Dilations", size), labelled("Channels", channels, count), labelled("Process", process),
    radios("Axis of lags", "axis", [["linear", "linear"], ["log", "logarithmic"]]),
    make("div", {}, keep, restart));

  function readControls() {
    const { architecture, axis: wanted } = form.elements;
    axis = wanted.value;
    choice = { architecture: architecture.value, size: Number(size.value), process: process.value, channels: data.channels[channels.value] };
  }
  function writeControls() {
    form.elements.architecture.value = choice.architecture;
    form.elements.axis.value = axis;
    const text = (inputs) => {
      const of = { ...choice, size: inputs };
      return dilationsText(of) || `none; ${analysisOf(of).inputs} inputs`;
    };
    size.replaceChildren(...options(data.sizes.map((inputs) => [inputs, text(inputs)])));
    size.value = choice.size;
    process.value = choice.process;
    channels.value = data.channels.indexOf(choice.channels);
    channels.setAttribute("aria-valuetext", `${choice.channels}`);
    count.textContent = choice.channels;
    keep.textContent = kept ? "Drop the kept curve" : "Keep this curve to compare";
  }

  /* What is shown: two sentences, three charts, the numbers, the code. */
  const summary = make("p", { className: "explorer-summary", ariaLive: "polite" });
  const comparison = make("p", { className: "explorer-kept", ariaLive: "polite" });
  const charts = ["allocation", "totals", "losses"].map((name) => make("div", { className: `explorer-${name}`, role: "img" }));
  const table = make("table");
  const snippets = Object.fromEntries(["code", "command"].map((kind) => [kind, copied(make("code"), kind)]));
  const about = make("a");
  root.replaceChildren(form, summary, comparison, make("div", { className: "explorer-charts" }, ...charts),
    make("p", {}, "About this architecture: ", about),
    make("details", {}, make("summary", { textContent: "The capacities as numbers" }), table),
    make("details", {}, make("summary", { textContent: "Python code of this setting" }), ...snippets.code.parts),
    make("details", {}, make("summary", { textContent: "Command of this setting" }), ...snippets.command.parts));

  function drawTable() {
    const columns = [["Shown", analysisOf(choice)], ...(kept ? [["Kept", analysisOf(kept)]] : [])];
    const longest = Math.max(...columns.map(([, { inputs }]) => inputs));
    const row = (tag, texts) => make("tr", {}, ...texts.map((textContent) => make(tag, { textContent })));
    const capacity = ({ allocation }, lag) => allocation[allocation.length - lag]?.toFixed(3) ?? "";
    const lags = Array.from({ length: longest }, (_, index) => index + 1);
    table.replaceChildren(
      make("caption", { textContent: "Capacity by the lag of the input" }),
      make("thead", {}, row("th", ["Lag", ...columns.map(([name]) => name)])),
      make("tbody", {}, ...lags.map((lag) => row("td", [lag, ...columns.map(([, found]) => capacity(found, lag))]))));
  }
  function draw() {
    const family = data.channels.map((number) => analysisOf({ ...choice, channels: number }));
    const index = data.channels.indexOf(choice.channels);
    explorerCharts.allocation(charts[0], analysisOf(choice), kept && analysisOf(kept), axis, data.colors);
    explorerCharts.totals(charts[1], data.channels, family, index, data.colors);
    explorerCharts.losses(charts[2], data.channels, family, index, data.colors);
  }
  function show() {
    writeControls();
    summary.textContent = sentence(choice);
    comparison.textContent = kept ? `Kept: ${sentence(kept)}` : "";
    charts[0].ariaLabel = "Capacity per input against the lag of the input; the table below has the numbers.";
    for (const [chart, name] of [[charts[1], "total"], [charts[2], "loss"]]) {
      const found = data.channels.map((number) => `${number}: ${analysisOf({ ...choice, channels: number })[name]}`);
      chart.ariaLabel = `${name === "total" ? "Total capacity" : "Loss"} by channels: ${found.join("; ")}`;
    }
    const { chapter, section } = data.architectures[choice.architecture];
    Object.assign(about, { href: `../${chapter}.html`, textContent: section });
    for (const [kind, { snippet, status }] of Object.entries(snippets)) {
      snippet.textContent = text(kind);
      status.textContent = "";
    }
    drawTable();
    draw();
  }

  function choose() {
    writeAddress();
    show();
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { readControls(); show(); });
  form.addEventListener("change", () => { readControls(); writeAddress(); });
  keep.addEventListener("click", () => { kept = kept ? null : choice; choose(); });
  restart.addEventListener("click", () => { [choice, kept, axis] = [first, null, "linear"]; choose(); });
  window.addEventListener("hashchange", () => { readAddress(); show(); });
  new ResizeObserver(draw).observe(charts[0]);
  /* On paper the charts are as wide as the sheet, dark on white. */
  const print = (printed) => () => {
    root.classList.toggle("printed", printed);
    draw();
  };
  window.addEventListener("beforeprint", print(true));
  window.addEventListener("afterprint", print(false));
  readAddress();
  show();
});
