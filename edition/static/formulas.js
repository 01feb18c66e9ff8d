/* Formulas cannot break. In a line of text, one that is wider than its column scrolls by itself, and none is parted from
   the punctuation that touches it. A display is made smaller where it is too wide, and scrolls where that is not enough. */
window.addEventListener("load", () => {
  const formulas = () => document.querySelectorAll("article mjx-container:not([display])");
  const hold = () => {
    for (const formula of formulas()) {
      const inner = formula.closest(".symbol-link") ?? formula.closest(".math") ?? formula, whole = document.createElement("span");
      const before = inner.previousSibling, after = inner.nextSibling;
      const touching = (node, pattern) => (node?.nodeType === Node.TEXT_NODE && node.data.match(pattern)?.[0].length) || 0;
      const opening = touching(before, /[([“]+$/), closing = touching(after, /^[.,;:!?)\]’”]+/);
      if (!opening && !closing) continue;
      whole.className = "held-formula";
      inner.before(whole);
      if (opening) whole.append(before.splitText(before.length - opening));
      whole.append(inner);
      if (closing) {
        after.splitText(closing);
        whole.append(after);
      }
    }
  };
  const SMALLEST = 0.7; // of the size of the others
  // What scrolls can be reached without a mouse.
  const reach = (formula, wide) => {
    for (const [name, value] of Object.entries({ tabindex: "0", role: "group", "aria-label": "Formula" }))
      wide ? formula.setAttribute(name, value) : formula.removeAttribute(name);
  };
  const fitDisplays = () => {
    for (const formula of document.querySelectorAll("article mjx-container[display='true']")) {
      const size = parseFloat((formula.dataset.size ??= formula.style.fontSize || "100%")), inner = formula.firstElementChild;
      formula.style.fontSize = `${size}%`;
      formula.classList.remove("wide-display");
      reach(formula, false);
      const share = formula.clientWidth / inner.getBoundingClientRect().width;
      if (!(share < 1)) continue; // nor where it is hidden
      formula.style.fontSize = `${size * Math.max(SMALLEST, share * 0.99)}%`;
      if (inner.getBoundingClientRect().width <= formula.clientWidth) continue;
      formula.classList.add("wide-display");
      reach(formula, true);
    }
  };
  const fit = () => {
    for (const formula of formulas()) {
      const column = formula.closest("p, li, td, dd, figcaption"), whole = formula.closest(".held-formula") ?? formula;
      formula.classList.remove("wide-formula");
      const wide = Boolean(column && whole.offsetWidth > column.clientWidth);
      formula.classList.toggle("wide-formula", wide);
      if (!formula.closest("a")) reach(formula, wide);
    }
  };
  hold();
  for (const fitted of [fit, fitDisplays]) {
    fitted();
    window.addEventListener("resize", fitted);
  }
});
