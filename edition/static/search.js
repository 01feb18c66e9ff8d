/* The page of the search. Sphinx finds the pages; this puts what an alias means first (see
   edition/sphinx_ext/search_aliases.py), chapters before the pages about the edition and those before the programming
   interface, of which it shows little unless its name was asked for, and quotes sentences of the article. */
{
  const FEW = 5; // results of the programming interface
  const API = "chapters/api";
  const NUMBERED = /\d|^(paper \d )?app(endix)? \w$/;
  const { places, texts, greek } = searchAliases;

  /* "Fig. 5", "eq. (12)": small letters, no brackets, no dots but those in a number. */
  const plain = (text) => text.toLowerCase().replace(/[()[\]"“”]/g, " ").replace(/\.(?=\s|$)/g, "").replace(/\s+/g, " ").trim();
  const joined = (text) => text.toLowerCase().replace(/[\s_]/g, "");

  /* Sphinx's results are [page, title, anchor, description, score, file], the best last; only members of the programming
     interface have a description. */
  const everything = Search._performSearch;
  Search._performSearch = (query, ...terms) => {
    const { docnames, filenames, titles } = Search._index;
    const asked = plain(query);
    const meant = (texts[asked] ?? []).map((number) => {
      const [page, anchor, title] = places[number], file = docnames.indexOf(page);
      const whole = titles[file] === title || !titles[file] ? title : `${title} – ${titles[file]}`;
      return [page, whole, anchor && `#${anchor}`, null, 100, filenames[file]];
    });
    if (meant.length && NUMBERED.test(asked)) return meant.reverse(); // the full text knows no numbers

    const found = everything(query, ...terms).reverse();
    const isName = /[_.]|[a-z][A-Z]/.test(query);
    const exact = (title) => [title, title.split(".").at(-1)].some((name) => joined(name) === joined(query));
    const member = ([page, title, anchor, description]) =>
      page.startsWith(API) && description && (isName || joined(title.split(".").at(-1)).startsWith(joined(query)));
    const members = found.filter(member).sort((a, b) => exact(b[1]) - exact(a[1]));
    const rooms = found.filter(([page, , anchor]) => page.startsWith(API) && !anchor);
    const articles = found.filter(([page]) => !page.startsWith(API));
    const inChapter = ([page]) => page.split("/").length > 2 || page.endsWith("/intro");
    const text = [...articles.filter(inChapter), ...articles.filter((result) => !inChapter(result))];
    const api = [...members, ...rooms];
    const named = isName ? api.filter(([, title, , description]) => description && exact(title)) : [];
    const rest = api.filter((result) => !named.includes(result)).slice(0, FEW);
    const known = new Set(), ordered = [...meant, ...named, ...text, ...rest];
    return ordered.filter(([page, , anchor]) => !known.has(page + anchor) && known.add(page + anchor)).reverse();
  };

  /* Excerpts: the paragraph that has most of the words, or that an anchor leads to; short formulas as text. */
  const ASIDE = ".headerlink, script, style, details, .cell_input, .cell_output > :not(figure), .chapter-links, .scale-note, .claim, "
    + ".claim-evidence, div.math, table, nav, h1, h2, h3, h4, .admonition-title";
  const BLOCKS = "p, figcaption, li:not(:has(p)), dd:not(:has(p))";
  const asText = (formula) => {
    const text = formula.replace(/^\\\(|\\\)$/g, "").replace(/\\([A-Za-z]+)\s*/g, (_, word) => greek[word] ?? "").replace(/[{}\\]/g, "");
    return text.length > 30 ? "…" : text.trim();
  };
  const words = (block) => block.textContent.replace(/\s+/g, " ").trim();
  Search.makeSearchSummary = (html, terms, anchor) => {
    const article = new DOMParser().parseFromString(html, "text/html").querySelector("article");
    const place = anchor && article?.querySelector(`#${CSS.escape(anchor.slice(1))}`);
    let blocks = [...(article?.querySelectorAll(BLOCKS) ?? [])];
    if (place) {
      const inside = blocks.filter((block) => place.contains(block));
      const before = (block) => place.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_PRECEDING;
      blocks = inside.length ? inside : blocks.filter(before).slice(-1); // an equation is told by what leads up to it
    }
    article?.querySelectorAll(ASIDE).forEach((part) => part.remove());
    article?.querySelectorAll("span.math").forEach((formula) => (formula.textContent = asText(formula.textContent)));
    blocks = blocks.filter((block) => article.contains(block) && words(block));
    const wanted = [...terms];
    const count = (block) => wanted.filter((term) => words(block).toLowerCase().includes(term)).length;
    const most = Math.max(0, ...blocks.map(count)), best = blocks.find((block) => count(block) === most);
    if (!best) return document.createTextNode("");
    const text = words(best), at = Math.max(0, ...wanted.map((term) => text.toLowerCase().indexOf(term)));
    const start = text.length <= 240 || at < 160 ? 0 : text.indexOf(" ", at - 100) + 1;
    const end = text.length - start <= 240 ? text.length : text.lastIndexOf(" ", start + 240);
    const excerpt = document.createElement("p");
    excerpt.className = "context";
    excerpt.textContent = `${start ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
    return excerpt;
  };

  /* From files a browser lets no page read another: there are titles only then, instead of trying in vain. */
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
