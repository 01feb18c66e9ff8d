/* The page of the search, as Sphinx makes it. Text is found in another way than Sphinx's, which wants a page with every word:
   what counts is how rare the words of the query are and how often they stand in a section (BM25), and whether the page has
   them in its title or among its keywords; a result leads to the section. A little of the programming interface comes after
   the chapters, unless its name was asked for. */
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const FEW = 5; // results of the programming interface
  const SATURATION = 1.2, LENGTH = 0.5; // k1 and b of BM25
  const BEGUN = 0.4; // what a word counts that begins with one of the query
  const LEAST = 0.15; // of the best score: what is below does not answer the query
  const ASKING = new Set(("i me we you your it its he how do does did can could should would what which why when where who "
    + "there this that these those am is are was were be been being has have had a an the and or if of in on at to for from by "
    + "as with about into than then so not no any some get got want need tell").split(" "));
  const stemmer = new Stemmer();

  /* What the search knows is compressed: until it is there, Sphinx keeps the query, as it does for its own index. */
  const index = Search._index;
  let known;
  Search._index = null;
  const bytes = Uint8Array.from(atob(window.searchPassages), (letter) => letter.charCodeAt(0));
  const open = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  new Response(open).json().then((found) => { known = found; Search.setIndex(index); });

  /* Words as edition/sphinx_ext/search_index.py has them: without accents, American, stemmed. */
  const split = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  const american = (word) => word.length < 6 ? word : word.replace(/is(e[drs]?|ers|ing|ations?)$/, "iz$1").replace("our", "or");
  const asked = (query) => {
    const all = split(query), telling = all.filter((word) => !ASKING.has(word));
    return [...new Set((telling.length ? telling : all).map((word) => stemmer.stemWord(american(word))))];
  };

  const passages = (query) => {
    const { pages, passages, words } = known, scores = new Float64Array(passages.length);
    const mean = passages.reduce((sum, [, , , length]) => sum + length, 0) / passages.length;
    const add = (places, weight) => {
      const rare = Math.log(1 + (passages.length - places.length / 2 + 0.5) / (places.length / 2 + 0.5));
      for (let index = 0; index < places.length; index += 2) {
        const [place, times] = [places[index], places[index + 1]];
        const norm = SATURATION * (1 - LENGTH + (LENGTH * passages[place][3]) / mean);
        scores[place] += (weight * rare * times * (SATURATION + 1)) / (times + norm);
      }
    };
    for (const word of asked(query)) {
      if (Object.hasOwn(words, word)) add(words[word], 1);
      if (word.length > 3) Object.keys(words).forEach((other) => other !== word && other.startsWith(word) && add(words[other], BEGUN));
    }
    /* A page is as good as what names it and the best of its sections together. */
    const best = new Map();
    passages.forEach(([page, anchor, title], place) => {
      const found = best.get(page) ?? { head: 0, section: 0, anchor: "", title: "" };
      if (anchor === null) found.head = scores[place];
      else if (scores[place] > found.section) Object.assign(found, { section: scores[place], anchor, title });
      best.set(page, found);
    });
    const most = Math.max(...[...best.values()].map(({ head, section }) => head + section));
    const titles = Search._index.titles, number = (page) => Search._index.docnames.indexOf(pages[page]);
    return [...best].filter(([, { head, section }]) => head + section > LEAST * most).map(([page, { head, section, anchor, title }]) => {
      const name = titles[number(page)], inside = anchor && section > head;
      const score = (10 * (head + section)) / most; // below that of a title or a name which is the query
      return [pages[page], inside ? `${name} > ${title}` : name, inside ? `#${anchor}` : "", null, score, Search._index.filenames[number(page)]];
    });
  };

  const everything = Search._performSearch;
  Search._performSearch = (query, ...terms) => {
    const texts = passages(query), isName = /[_.]|[a-z][A-Z]/.test(query);
    Search.performTermsSearch = () => texts; // its index has no terms
    const pages = new Set(); // of a page that is found by its name its passages say no more
    const found = everything(query, ...terms).reverse().filter((result) => {
      const [page, , anchor] = result, known = pages.has(page);
      if (!anchor || texts.includes(result)) pages.add(page);
      return !known || !texts.includes(result);
    }).reverse(); // the best are the last
    const named = ([, title]) => isName && `.${title}`.toLowerCase().endsWith(`.${query.trim().toLowerCase()}`);
    const [api, chapters] = [true, false].map((wanted) => found.filter(([page]) => page.startsWith("chapters/api") === wanted));
    return [...api.filter((result) => !named(result)).slice(-FEW), ...chapters, ...api.filter(named)];
  };
  /* What a result quotes: the words around the first place with most of what was asked for, from files, too. */
  const LONG = 240, BEFORE = 80; // letters
  const excerpt = (text, wanted) => {
    const hits = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({ word, index, stem: asked(word)[0] }))
      .filter(({ stem }) => wanted.has(stem));
    const near = ({ index }) => hits.filter((hit) => hit.index >= index && hit.index < index + LONG - BEFORE);
    const counts = hits.map((hit) => new Set(near(hit).map(({ stem }) => stem)).size);
    const most = Math.max(0, ...counts), place = hits[counts.indexOf(most)]?.index ?? 0;
    const begin = place < BEFORE ? 0 : text.indexOf(" ", place - BEFORE) + 1;
    const end = begin + LONG < text.length ? Math.max(text.lastIndexOf(" ", begin + LONG), place + 1) : text.length;
    const line = Object.assign(document.createElement("p"), { className: "context" });
    let at = begin;
    for (const { word, index } of hits.filter((hit) => hit.index >= begin && hit.index + hit.word.length <= end)) {
      line.append(text.slice(at, index), Object.assign(document.createElement("span"), { className: "highlighted", textContent: word }));
      at = index + word.length;
    }
    line.prepend(begin ? "… " : "");
    line.append(text.slice(at, end), end < text.length ? " …" : "");
    return { line, most };
  };
  const quote = (row) => {
    const link = row.querySelector("a").getAttribute("href").split("#"), texts = known.texts[link[0].replace(/\.html$/, "")] ?? {};
    const wanted = new Set(asked(new URLSearchParams(location.search).get("q")));
    const own = link[1] && texts[link[1]], found = (own ? [own] : Object.values(texts)).map((text) => excerpt(text, wanted));
    if (found.length) row.append(found.reduce((best, each) => (each.most > best.most ? each : best)).line);
  };
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false; // Sphinx loads each page that it quotes
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => [...addedNodes].filter((node) => node.matches?.("li")).forEach(quote)))
    .observe(document.getElementById("search-results"), { childList: true, subtree: true });
});
