/* Badges of what holds and the lines of the sections are hidden until the reader asks for them at the end of a page; the
   choice is remembered. Without script they are shown. */
{
  const root = document.documentElement.dataset;
  const remembered = () => { try { return localStorage.getItem("checks"); } catch { return null; } };
  root.checks = remembered() === "shown" ? "shown" : "hidden";
  document.addEventListener("DOMContentLoaded", () => {
    const line = document.querySelector(".checks-of-page");
    if (!line) return;
    const button = document.createElement("button");
    const label = () => { button.textContent = root.checks === "shown" ? "Hide checks" : "Show checks"; };
    button.type = "button";
    button.addEventListener("click", () => {
      const before = button.getBoundingClientRect().top;
      root.checks = root.checks === "shown" ? "hidden" : "shown";
      try { localStorage.setItem("checks", root.checks); } catch { /* not remembered, then */ }
      label();
      scrollBy({ top: button.getBoundingClientRect().top - before, behavior: "instant" });
    });
    label();
    line.append(" ", button);
  });
}

/* A link to what is folded opens it: claims and their code lie in elements that a browser folds by itself, and some
   browsers do not open these for the address of what is inside. Without script, a reader opens them by hand. */
{
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folds = [];
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) folds.push(fold);
    if (!folds.length) return;
    for (const fold of folds) fold.open = true;
    target.scrollIntoView({ behavior: "instant", block: "start" });
  };
  document.addEventListener("DOMContentLoaded", reveal);
  // Images change the height of what is above.
  window.addEventListener("load", reveal);
  window.addEventListener("hashchange", reveal);
  // A link to the address that is already there changes nothing that a script is told of.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href*='#']");
    if (link?.href === location.href) reveal();
  });
}
