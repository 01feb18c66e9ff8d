/* The explorer: shows the analysis of a network that its page holds (see capacity_studies/explorer.py) or, of a stack that was
   not fitted, what budget-kernel.js finds for random weights, and keeps the choice in the page's address. It is loaded, after
   its charts, only on the page that has it. */
document.addEventListener("DOMContentLoaded", () => {
  const root = document.querySelector(".explorer");
  if (!root) return;
  const data = JSON.parse(root.querySelector("script").textContent);
  const ROUNDING = 1e-24; // a loss below it is made of rounding errors
  const STORED = 2; // the kernel of what was fitted
  const WORTH = 0.01; // of the variance: what longer stacks have to gain
  const range = (count) => [...Array(count).keys()];
  const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  /* A choice is what names an analysis, such as "hierarchical.32.2.power-law", and of another kernel "(...).power-law.3". */
  const keyOf = ({ architecture, size, channels, process, kernel }) =>
    [architecture, size, channels, process, ...(kernel === STORED ? [] : [kernel])].join(".");
  const choiceOf = (key) => {
    const [architecture, size, channels, process, kernel = STORED] = key.split(".");
    return { architecture, size: Number(size), channels: Number(channels), process, kernel: Number(kernel) };
  };
  const dilationsOf = ({ architecture, size }) => data.architectures[architecture].dilations[size];
  const isStack = ({ architecture }) => data.architectures[architecture].kernels.length > 0;
  const reachOf = (choice) => (isStack(choice) ? 1 + (choice.kernel - 1) * sumOf(dilationsOf(choice)) : choice.size);
  const sizesOf = (choice) => Object.keys(data.architectures[choice.architecture].dilations).map(Number).sort((a, b) => a - b)
    .filter((size) => reachOf({ ...choice, size }) <= data.most);
  const channelsOf = Object.values(data.channels);
  const isKnown = (choice) =>
    Object.hasOwn(data.architectures, choice.architecture) && Object.hasOwn(data.processes, choice.process) &&
    channelsOf.includes(choice.channels) && (isStack(choice) ? data.architectures[choice.architecture].kernels : [STORED]).includes(choice.kernel) &&
    sizesOf(choice).includes(choice.size);
  /* The nearest choice that there is. */
  const settled = (choice) => {
    const found = { ...choice, kernel: isStack(choice) ? choice.kernel : STORED }, sizes = sizesOf(found);
    return { ...found, size: Math.max(sizes[0], ...sizes.filter((size) => size <= choice.size)) };
  };
  const first = choiceOf(Object.keys(data.analyses).find((key) => choiceOf(key).channels === channelsOf[Math.min(1, channelsOf.length - 1)]));

  /* Random weights, always the same, of which a network with fewer layers or channels has some: by Box and Muller from a hash. */
  function uniform(index) {
    let hash = Math.imul(index + 1, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32;
  }
  const normal = (index) => Math.sqrt(-2 * Math.log(uniform(2 * index))) * Math.cos(2 * Math.PI * uniform(2 * index + 1));
  function weightsOf(choice) {
    const { kernel, channels } = choice, layers = dilationsOf(choice).length, MOST = 16;
    const width = (level) => (level === 0 || level === layers ? 1 : channels);
    return range(layers).map((l) => range(width(l + 1)).map((o) => range(kernel).map((t) => range(width(l)).map((i) =>
      normal(((l * MOST + o) * MOST + t) * MOST + i)))));
  }
  const parametersOf = (choice) => weightsOf(choice).flat(3).length;

  const drawn = new Map(); // what is known of stacks with random weights
  function analysisOf(choice) {
    const key = keyOf(choice);
    if (Object.hasOwn(data.analyses, key)) return { fitted: true, ...data.analyses[key] };
    if (!drawn.has(key)) {
      const dilations = dilationsOf(choice), weights = weightsOf(choice);
      const { capacities, total } = budgetKernel(dilations, weights, data.processes[choice.process].autocovariances);
      drawn.set(key, { fitted: false, inputs: capacities.length, parameters: parametersOf(choice), total, allocation: capacities });
    }
    return drawn.get(key);
  }
  Object.assign(root, { analysisOf, choiceOf, dilationsOf, sizesOf, weightsOf }); // for the tests

  /* The state and the page's address. */
  let choice, kept;
  function readAddress() {
    const found = new URLSearchParams(location.hash.slice(1) || location.search); // a link from a chapter has the latter
    const named = (name) => {
      const wanted = choiceOf(found.get(name) ?? "");
      return isKnown(wanted) ? wanted : null;
    };
    [choice, kept] = [named("setting") ?? first, named("kept")];
  }
  function writeAddress() {
    const parts = new URLSearchParams({ setting: keyOf(choice) });
    if (kept) parts.set("kept", keyOf(kept));
    if (location.hash !== `#${parts}`) history.pushState(null, "", `#${parts}`);
  }

  /* Words, all of what is drawn. */
  const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
  const percent = (share) => `${(100 * share).toFixed(1)}\u00a0%`;
  function scientific(number) {
    if (number < ROUNDING) return "at rounding error";
    const [digits, power] = number.toExponential(1).split("e");
    return `${digits}\u00a0×\u00a010${explorerCharts.raised(power.replace("+", ""))}`;
  }
  function dilationsText(of) {
    const each = [...new Set(dilationsOf(of))];
    return each.length && `${each.join(", ")}${data.architectures[of.architecture].order}`;
  }
  const leftAt = ({ process }, inputs) => data.processes[process].left[inputs - 1];
  function goals(of, inputs) {
    const told = (found, words) => found.length && `${words}: ${found.map(([lag, what]) => `${what} (lag ${lag})`).join(", ")}.`;
    const [near, far] = [true, false].map((wanted) => data.processes[of.process].goals.filter(([lag]) => lag <= inputs === wanted));
    return [told(near, "In reach"), told(far, "Out of reach")].filter(Boolean).join(" ");
  }
  function answer(of) {
    const { inputs, parameters, total, allocation, fitted } = analysisOf(of);
    const half = 1 + range(inputs).findIndex((lag) => sumOf(allocation.slice(-lag - 1)) >= total / 2 - 1e-4);
    return [
      `It sees ${counted(inputs, "step")}.`, goals(of, inputs), verdict(of),
      `Total capacity ${total} of ${inputs}, from ${parameters} parameters${fitted ? `; half of it lies in the last ${counted(half, "step")}` : ""}.`,
    ].filter(Boolean).join(" ");
  }
  /* Whether the stack is as long as it should be: by what the best linear prediction leaves at the sizes there are. */
  function verdict(of) {
    if (!isStack(of)) return "";
    const left = (size) => leftAt(of, reachOf({ ...of, size })), sizes = sizesOf(of);
    const wanted = sizes.find((size) => left(size) < left(sizes.at(-1)) + WORTH);
    const other = `dilations up to ${Math.max(...dilationsOf({ ...of, size: wanted }))}`, leaves = percent(left(wanted));
    if (wanted > of.size) return `Too short for this process: ${other} would leave ${leaves} of its variance instead of ${percent(left(of.size))}.`;
    if (wanted < of.size) return `Longer than it needs to be: ${other} leave ${leaves} of the variance, these ${percent(left(of.size))}.`;
    return `As long as it needs to be: longer ones would gain less than ${percent(WORTH)} of the variance.`;
  }
  function leaves(of) {
    const { inputs, fitted, loss } = analysisOf(of), best = leftAt(of, inputs);
    const alone = `the last one alone leaves ${percent(leftAt(of, 1))}`;
    const bound = `From ${counted(inputs, "step")} the best linear prediction leaves ${percent(best)} of the variance; ${alone}.`;
    return fitted ? `${bound} The fitted model leaves ${percent(best + loss)}; its loss, the difference, is ${scientific(loss)}.` : bound;
  }
  function lastDilation(of) {
    const less = { ...of, size: of.size / 2 };
    if (!isStack(of) || !sizesOf(less).includes(less.size)) return "";
    const { inputs, parameters, total, allocation } = analysisOf(of), before = reachOf(less);
    const held = sumOf(allocation.slice(0, inputs - before)), last = Math.max(...dilationsOf(of));
    const gain = `With them linear prediction leaves ${percent(leftAt(of, inputs))} of the variance, without ${percent(leftAt(of, before))}.`;
    return `Only with dilation ${last} does it see lags ${before + 1} to ${inputs}. ${gain} They hold ${held.toFixed(1)} of the capacity ` +
      `(${Math.round((100 * held) / total)}\u00a0%) and cost ${parameters - parametersOf(less)} of the ${parameters} parameters.`;
  }
  function moreOf(of) {
    if (!isStack(of)) return "";
    const { parameters, inputs, total } = analysisOf(of), found = [], next = channelsOf[channelsOf.indexOf(of.channels) + 1];
    const deeper = { ...of, size: 2 * of.size };
    if (sizesOf(deeper).includes(deeper.size)) {
      const reach = reachOf(deeper), cost = parametersOf(deeper) - parameters;
      const gained = data.processes[of.process].goals.filter(([lag]) => lag > inputs && lag <= reach).map(([, what]) => ` (${what})`).join("");
      found.push(`Dilation ${Math.max(...dilationsOf(deeper))} as well: ${cost} more parameters, and ${reach} steps${gained}, from which ` +
        `linear prediction leaves ${percent(leftAt(of, reach))} instead of ${percent(leftAt(of, inputs))}. ` +
        `The total capacity would be ${analysisOf(deeper).total} of ${reach} instead of ${total} of ${inputs}.`);
    }
    if (total === inputs) found.push("Every jar is full: in a linear network more channels would change nothing.");
    else if (next) {
      const wider = { ...of, channels: next }, known = data.analyses[keyOf(wider)];
      found.push(`${next} channels instead of ${of.channels}: ${parametersOf(wider) - parameters} more parameters` +
        `${known ? ` and a total capacity of ${known.total}` : ""}.`);
    }
    return found.join(" ");
  }
  function warning(of) {
    const { total, generic, converged, steps, fitted } = analysisOf(of);
    if (!fitted) return "";
    return [
      total < generic ? `Some constraints coincide here, exactly or up to rounding: almost everywhere else the total is ${generic}.` : "",
      converged ? "" : `The fit was stopped after ${steps} steps, before it had converged.`,
    ].join(" ").trim();
  }
  const shownOf = (of) => (analysisOf(of).fitted
    ? `Jars: capacity by lag at the optimum of ${data.architectures[of.architecture].start}.`
    : "Jars: capacity by lag with random weights, as if they were an optimum on this process. This stack was not fitted here; the code below fits it.");
  function title(of) {
    const dilations = dilationsText(of) && `, dilations ${dilationsText(of)}, kernel ${of.kernel}`;
    return `${data.architectures[of.architecture].name}${dilations || ""}, ${counted(of.channels, "channel")}, ${data.processes[of.process].name}`;
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
    return { snippet, status, parts: [make("pre", { tabIndex: 0, className: `explorer-${kind}` }, snippet), button, status] };
  }

  /* The controls: plain HTML, each with its label. */
  const radios = (legend, name, values) =>
    make("div", { role: "radiogroup", ariaLabel: legend, className: name }, make("span", { textContent: legend }),
      ...values.map(([value, text]) => make("label", {}, make("input", { type: "radio", name, value }), text)));
  const slider = (name) => make("input", { type: "range", name, min: 0 });
  const labelled = (text, ...controls) => make("label", {}, make("span", { textContent: text }), ...controls);
  const size = slider("size"), dilations = make("output"), channels = slider("channels"), count = make("output");
  const process = make("select", { name: "process" });
  const keep = make("button", { type: "button" });
  const restart = make("button", { type: "button", textContent: "Start again" });
  channels.max = channelsOf.length - 1;
  process.append(...Object.entries(data.processes).map(([value, { name }]) => new Option(name, value)));
  const kernels = [...new Set(Object.values(data.architectures).flatMap(({ kernels: each }) => each))];
  const form = make("form", { className: "explorer-controls" },
    labelled("Dilations", size, dilations), labelled("Channels", channels, count),
    radios("Kernel", "kernel", kernels.map((kernel) => [kernel, kernel])), labelled("Process", process),
    radios("Blocks", "architecture", Object.entries(data.architectures).map(([name, { name: words }]) => [name, words])),
    make("div", { className: "buttons" }, keep, restart));

  function readControls() {
    const { architecture, kernel } = form.elements;
    const wanted = { architecture: architecture.value, process: process.value, channels: channelsOf[channels.value], kernel: Number(kernel.value) || STORED };
    choice = settled({ ...wanted, size: sizesOf(choice)[size.value] });
  }
  function writeControls() {
    const sizes = sizesOf(choice);
    form.elements.architecture.value = choice.architecture;
    form.elements.kernel.value = choice.kernel;
    form.querySelectorAll("[name=kernel]").forEach((radio) => { radio.disabled = !isStack(choice); });
    size.max = sizes.length - 1;
    size.value = sizes.indexOf(choice.size);
    dilations.textContent = dilationsText(choice) || `none; ${choice.size} inputs`;
    size.setAttribute("aria-valuetext", dilations.textContent);
    process.value = choice.process;
    channels.value = channelsOf.indexOf(choice.channels);
    channels.setAttribute("aria-valuetext", `${choice.channels}`);
    count.textContent = choice.channels;
    keep.textContent = kept ? "Drop what was kept" : "Keep this to compare";
  }

  /* What is shown: the answer, the jars, the controls, what lies behind the answer, two charts, the numbers, the code. */
  const summary = make("p", { className: "explorer-summary", ariaLive: "polite" });
  const comparison = make("p", { className: "explorer-kept", ariaLive: "polite" });
  const means = make("p", { className: "explorer-means" }), about = make("a");
  const [allocation, totals, losses] = ["allocation", "totals", "losses"].map((name) => make("div", { className: `explorer-${name}`, role: "img" }));
  const reading = make("dl", { className: "explorer-reading" });
  const family = make("div", { className: "explorer-charts" }, totals, losses);
  const table = make("table");
  const snippets = Object.fromEntries(["command", "code"].map((kind) => [kind, copied(make("code"), kind)]));
  root.replaceChildren(summary, comparison, make("div", { className: "explorer-charts" }, allocation), means, form, reading, family,
    make("p", {}, "The same from a shell:"), ...snippets.command.parts,
    make("details", {}, make("summary", { textContent: "Python code of this setting" }), ...snippets.code.parts),
    make("details", {}, make("summary", { textContent: "The capacities as numbers" }), table),
    make("p", {}, "About this architecture: ", about));

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
  const relatives = () => channelsOf.map((number) => data.analyses[keyOf({ ...choice, channels: number })]);
  function draw() {
    const less = { ...choice, size: choice.size / 2 };
    const before = isStack(choice) && sizesOf(less).includes(less.size) ? [reachOf(less), Math.max(...dilationsOf(choice))] : null;
    explorerCharts.allocation(allocation, analysisOf(choice), kept && analysisOf(kept), data.processes[choice.process].goals, before, data.colors);
    if (family.hidden) return;
    const index = channelsOf.indexOf(choice.channels);
    explorerCharts.totals(totals, channelsOf, relatives(), index, data.colors);
    explorerCharts.losses(losses, channelsOf, relatives(), index, data.colors);
  }
  function show() {
    writeControls();
    summary.textContent = answer(choice);
    comparison.textContent = kept ? `Kept (dashed): ${title(kept)}; total capacity ${analysisOf(kept).total} of ${analysisOf(kept).inputs}.` : "";
    means.textContent = shownOf(choice);
    const parts = [
      ["What it leaves", leaves(choice)], ["What the last dilation buys", lastDilation(choice)],
      ["What more would cost", moreOf(choice)], ["Beware", warning(choice)],
    ];
    reading.replaceChildren(...parts.filter(([, words]) => words).flatMap(([term, words]) =>
      [make("dt", { textContent: term }), make("dd", { textContent: words })]));
    allocation.ariaLabel = `Capacity by lag: ${title(choice)}; the table below has the numbers.`;
    family.hidden = !analysisOf(choice).fitted;
    for (const [chart, name] of family.hidden ? [] : [[totals, "total"], [losses, "loss"]]) {
      const found = relatives().map((analysis, index) => `${channelsOf[index]}: ${analysis[name]}`);
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
  restart.addEventListener("click", () => { [choice, kept] = [first, null]; choose(); });
  window.addEventListener("hashchange", () => { readAddress(); show(); });
  new ResizeObserver(draw).observe(allocation);
  readAddress();
  show();
});
