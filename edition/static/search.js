/* The page of the search, as Sphinx makes it: a little of the programming interface comes after the chapters, unless its name
   was asked for, and excerpts are of the article, without code, evidence, and the marks of formulas. */
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const FEW = 5; // results of the programming interface
  const everything = Search._performSearch;
  Search._performSearch = (query, ...terms) => {
    const found = everything(query, ...terms), isName = /[_.]|[a-z][A-Z]/.test(query); // the best are the last
    const named = ([, title]) => isName && `.${title}`.toLowerCase().endsWith(`.${query.trim().toLowerCase()}`);
    const [api, pages] = [true, false].map((wanted) => found.filter(([page]) => page.startsWith("chapters/api") === wanted));
    return [...api.filter((result) => !named(result)).slice(-FEW), ...pages, ...api.filter(named)];
  };
  const ASIDE = ".headerlink, script, style, details, pre, .cell_input, .cell_output > :not(figure), .chapter-links, .scale-note, "
    + ".check-marks, .claim, .claim-evidence, div.math, nav, h1";
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html"), article = page.querySelector("article");
    const place = anchor ? page.getElementById(anchor.slice(1)) : null;
    article.querySelectorAll(ASIDE).forEach((part) => part.contains(place) || part.remove());
    article.querySelectorAll("span.math").forEach((formula) => (formula.textContent = formula.textContent.replace(/\\[()]|[\\{}]/g, "")));
    const told = place?.matches("div.math") ? place.previousElementSibling : place; // an equation by what leads up to it
    return (told ?? article).textContent.replace(/\s+/g, " ");
  };
  // From files a browser lets no page read another: there are titles only then, instead of trying in vain.
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
});
