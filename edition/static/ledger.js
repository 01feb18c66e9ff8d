/* The ledger's filter: by words as they are typed, by verdict, source and kind. What is chosen stands in the address, so
   that it can be linked to and the back button returns to it. Without script all claims are there, folded by chapter. */
{
  const FEW = 200; // claims that are unfolded at once
  const rows = [...document.querySelectorAll(".claims-ledger tbody tr")];
  const boxes = [...document.querySelectorAll("section:has(.claims-ledger):not(:has(section .claims-ledger)), .claims-source, .claims-group")];
  const totals = new Map(boxes.map((box) => [box, box.querySelectorAll(".claims-ledger tbody tr").length]));

  /* The controls; the options are what the rows have as classes. */
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const valueOf = (row, name) => [...row.classList].find((found) => found.startsWith(`${name}-`)).slice(name.length + 1);
  const chooser = (label, name, wordsOf) => {
    const words = new Map(rows.map((row) => [valueOf(row, name), wordsOf(row)]));
    const options = [["", "all"], ...words].map(([value, word]) => new Option(word, value));
    return make("label", {}, `${label} `, make("select", { name }, ...options));
  };
  const sourceName = (row) => document.querySelector(`.claims-source.source-${valueOf(row, "source")} .rubric`)?.textContent ?? valueOf(row, "source");
  const count = make("output", { ariaLive: "polite" });
  const form = make("form", { className: "claims-filter", role: "search", ariaLabel: "Filter the claims" },
    make("label", { className: "claims-words" }, "Words ", make("input", { type: "search", name: "words", placeholder: "figure 5, tensor train, linear/prop-3, …" })),
    chooser("Verdict", "verdict", (row) => row.querySelector(".claim").textContent),
    chooser("Source", "source", sourceName),
    chooser("Kind", "kind", (row) => valueOf(row, "kind")),
    make("button", { type: "reset", textContent: "Show all" }), count);
  const controls = [...form.elements].filter((control) => control.name);
  const chosen = () => new URLSearchParams(controls.filter(({ value }) => value.trim()).map(({ name, value }) => [name, value.trim()]));

  function show() {
    const { words = "", ...classes } = Object.fromEntries(chosen());
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const inClasses = Object.entries(classes).every(([name, value]) => row.classList.contains(`${name}-${value}`));
      row.hidden = !inClasses || !wanted.every((word) => row.textContent.toLowerCase().includes(word));
    }
    const left = rows.filter((row) => !row.hidden).length, few = chosen().size > 0 && left <= FEW;
    for (const box of boxes) {
      const left = box.querySelectorAll(".claims-ledger tbody tr:not([hidden])").length;
      box.hidden = !left;
      if (!box.matches(".claims-group")) continue;
      box.open = few && left > 0;
      box.querySelector(".claims-count").textContent = left < totals.get(box) ? `${left} of ${totals.get(box)}` : left;
    }
    count.textContent = `${left} of ${rows.length} claims`;
  }

  /* The address: a step back for each choice, and one for a run of typing. */
  function read() {
    const found = new URLSearchParams(location.search);
    for (const control of controls) {
      control.value = found.get(control.name) ?? "";
      if (control.selectedIndex < 0) control.value = "";
    }
    show();
  }
  function write(typing) {
    const address = `${location.pathname}${chosen().size ? `?${chosen()}` : ""}`;
    history[typing && history.state?.typing ? "replaceState" : "pushState"]({ typing }, "", address);
    show();
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => write(event.target.type === "search"));
  form.addEventListener("reset", () => setTimeout(write)); // once the controls are empty
  window.addEventListener("popstate", read);

  /* A link to a row, or to a former name of its claim, leads there whatever is folded or filtered. */
  const reveal = () => {
    const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    if (place.id.startsWith("verdict-")) return void (chosen().size ? form : place).scrollIntoView();
    if (place.closest("[hidden]")) {
      for (const control of controls) control.value = "";
      history.replaceState(null, "", location.pathname + location.hash);
      show();
    }
    for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    place.scrollIntoView();
  };
  window.addEventListener("hashchange", reveal);
  window.addEventListener("beforeprint", () => boxes.forEach((box) => box.matches("details:not([hidden])") && (box.open = true)));

  document.querySelector("section:has(.claims-ledger)").querySelector("section:has(.claims-ledger)").before(form);
  read();
  reveal();
}
