/* Formulas cannot break. In a line of text, one that is wider than its column scrolls by itself, and none is parted from
   the punctuation that touches it. A display that is longer than a line of text takes the width of the column; it is made
   smaller where that is too wide, and scrolls where that is not enough. */
document.addEventListener("DOMContentLoaded", () => {
  const held = new WeakSet();
  const hold = (root) => {
    for (const formula of found(":not([display])", root)) {
      if (held.has(formula)) continue;
      held.add(formula);
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
  // All are measured before any is changed, so that the page is laid out once; what is folded is not laid out until it opens.
  const found = (selector, root) =>
    [...root.querySelectorAll(`article mjx-container${selector}`)].filter((formula) => formula.checkVisibility());
  const width = (formula) => formula.firstElementChild.getBoundingClientRect().width;
  const fitDisplays = (root) => {
    const displays = found("[display='true']", root);
    const boxes = displays.map((formula) => formula.closest("div.math"));
    const sizes = displays.map((formula) => parseFloat((formula.dataset.size ??= formula.style.fontSize || "100%")));
    displays.forEach((formula, index) => {
      formula.style.fontSize = `${sizes[index]}%`;
      formula.classList.remove("wide-display");
      boxes[index]?.classList.remove("broad");
      reach(formula, false);
    });
    const long = displays.map((formula) => width(formula) > formula.clientWidth);
    boxes.forEach((box, index) => box?.classList.toggle("broad", long[index])); // than a line of text: there is more room
    const shares = displays.map((formula) => formula.clientWidth / width(formula));
    const wide = displays.filter((formula, index) => {
      if (!(shares[index] < 1)) return false;
      formula.style.fontSize = `${sizes[index] * Math.max(SMALLEST, shares[index] * 0.99)}%`;
      return true;
    });
    for (const formula of wide.filter((each) => width(each) > each.clientWidth)) {
      formula.classList.add("wide-display");
      reach(formula, true);
    }
  };
  const fitInLines = (root) => {
    const formulas = found(":not([display])", root);
    for (const formula of formulas) formula.classList.remove("wide-formula");
    const wide = formulas.map((formula) => {
      const column = formula.closest("p, li, td, dd, figcaption"), whole = formula.closest(".held-formula") ?? formula;
      return Boolean(column && whole.offsetWidth > column.clientWidth);
    });
    formulas.forEach((formula, index) => {
      formula.classList.toggle("wide-formula", wide[index]);
      if (!formula.closest("a")) reach(formula, wide[index]);
    });
  };
  const fit = (root) => {
    hold(root);
    fitInLines(root);
    fitDisplays(root);
  };
  const fitAll = () => fit(document);
  fitAll();
  document.addEventListener("toggle", (event) => event.target.open && fit(event.target), true);
  window.addEventListener("resize", fitAll);
  document.fonts.addEventListener("loadingdone", fitAll); // measured in another font until then
});
