/* Formulas in a line of text cannot break: one that is wider than its column scrolls by itself (see book.css). */
window.addEventListener("load", () => {
  const fit = () => {
    for (const formula of document.querySelectorAll("article mjx-container:not([display])")) {
      const column = formula.closest("p, li, td, dd, figcaption");
      formula.classList.remove("wide-formula");
      if (column && formula.offsetWidth > column.clientWidth) formula.classList.add("wide-formula");
    }
  };
  window.MathJax?.startup?.promise?.then(() => {
    fit();
    window.addEventListener("resize", fit);
  });
});
