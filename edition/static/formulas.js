/* Formulas in a line of text cannot break: one that is wider than its column scrolls by itself (see book.css). */
window.addEventListener("load", () => {
  window.MathJax?.startup?.promise?.then(() => {
    for (const formula of document.querySelectorAll("article mjx-container:not([display])")) {
      const column = formula.closest("p, li, td, dd, figcaption");
      if (column && formula.offsetWidth > column.clientWidth) formula.classList.add("wide-formula");
    }
  });
});
