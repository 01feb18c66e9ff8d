/* Formulas in a line of text cannot break: one that is wider than its column scrolls by itself, and none is parted from
   the punctuation that touches it (see book.css). */
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
  const fit = () => {
    for (const formula of formulas()) {
      const column = formula.closest("p, li, td, dd, figcaption"), whole = formula.closest(".held-formula") ?? formula;
      formula.classList.remove("wide-formula");
      if (column && whole.offsetWidth > column.clientWidth) formula.classList.add("wide-formula");
    }
  };
  window.MathJax?.startup?.promise?.then(() => {
    hold();
    fit();
    window.addEventListener("resize", fit);
  });
});
