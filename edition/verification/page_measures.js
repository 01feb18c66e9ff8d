// The blocks of a page as it is shown now, for edition/verification/page_measures.py, which says what is counted as what.
async () => {
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(shown);
  // A width may ask for other images. Those that wait until they are scrolled to have their size in the page.
  await Promise.all(all("img:not([loading=lazy])").map((image) => image.decode().catch(() => {})));
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);

  const article = document.querySelector("article") ?? document.body;
  const { top: start, bottom: end } = article.getBoundingClientRect();
  const KINDS = {
    folds: "details, .below-output, .cell p:has(> .claim)",
    figures: "figure, .figure-entry, .figure-shown, .explorer-charts",
    tables: "table",
    code: "pre, .cell_input, .cell_output > .output",
    headings: "h1, h2, h3, h4, h5, h6",
    text: "p, li, dt, dd, blockquote, label, div.math, mjx-container[display]",
  };
  const blocks = [], beside = ".check-marks";
  const collect = (parent) => {
    for (const e of parent.children) {
      if (!shown(e) || e.matches(beside)) continue;
      const output = e.matches(".cell_output > .output") && e.querySelector("table, figure, p"); // has its own kinds
      const kind = !output && Object.keys(KINDS).find((name) => e.matches(KINDS[name]));
      const { top, bottom } = e.getBoundingClientRect();
      if (kind) blocks.push([kind, top - start, bottom - start]);
      if (!kind || kind === "text") collect(e);
    }
  };
  collect(article);

  const words = [], walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement: e } = walker.currentNode;
    if (data.trim() && !e.closest("script, style, svg, pre, mjx-container, .headerlink, .check-marks") && shown(e)) words.push(data);
  }

  const spare = (e) => e.clientWidth - e.scrollWidth;
  const scrolls = (e) => ["auto", "scroll"].includes(getComputedStyle(e).overflowX);
  const first = all("figure, .figure-entry, .figure-shown, .explorer-charts", article)[0];
  // A formula that leaves its column has a cue where it scrolls and fades out at the edge.
  const formulas = all("mjx-container[display]", article).filter((e) => {
    const wide = e.firstElementChild.getBoundingClientRect().width > e.clientWidth + 1;
    return wide && !(scrolls(e) && getComputedStyle(e).maskImage !== "none");
  });
  return {
    page: document.documentElement.scrollHeight,
    article: end - start,
    blocks,
    firstFigure: first ? first.getBoundingClientRect().top + scrollY : null,
    words: words.join(" ").trim().split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    codeCells: all(".cell_input", article).length,
    codeCut: all("pre", article).filter((e) => spare(e) < -1).length,
    formulasCut: formulas.length,
    figuresSideways: all("figure, .figure-entry, .figure-shown", article)
      .filter((figure) => [figure, ...all("*", figure)].some((e) => spare(e) < -1 && scrolls(e))).length,
  };
}
