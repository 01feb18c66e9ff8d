// What a reader would stumble over on the page as it is shown now: lists of faults by kind, empty where all is well,
// and what the tests compare between pages. On a desktop there is room for everything, and the contrast of all texts is
// looked at, in both themes.
({ desktop }) => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const texts = (elements) => elements.map((e) => e.outerHTML.slice(0, 160));
  const main = document.querySelector("main") ?? document.body;
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const raw = [], words = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement: e } = walker.currentNode;
    if (!data.trim() || e.closest("script, style, mjx-container, .headerlink")) continue;
    if (main.contains(e) && !e.closest("pre, code") && /\\[([A-Za-z]+|\$[^$]+\$/.test(data)) raw.push(data.trim().slice(0, 80));
    if (shown(e)) words.push(e);
  }

  const scrolls = (e) => e && (["auto", "scroll"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const unseen = ".headerlink, mjx-assistive-mml, mjx-assistive-mml *";
  const wide = all(`article :not(${unseen})`).filter(
    (e) => e.getBoundingClientRect().right > innerWidth + 1 && shown(e) && !scrolls(e));
  const overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;

  // Formulas and outputs of the code that do not fit; on a phone they may scroll.
  const spare = (e) => e.scrollWidth - e.clientWidth;
  const cut = all("article :is(mjx-container[display], .math, .cell_output pre)").filter((e) => shown(e) && spare(e) > 1 && e.localName !== "span");
  // Punctuation on another line than the formula before it, and badges outside of the title that they belong to.
  const parted = all("article mjx-container:not([display], .wide-formula)").filter(shown).filter((e) => {
    const next = (e.closest(".math") ?? e).nextSibling, range = document.createRange();
    if (!/^[.,;:!?)]/.test(next?.data)) return false;
    range.setStart(next, 0);
    range.setEnd(next, 1);
    return range.getBoundingClientRect().left < e.getBoundingClientRect().right - 5;
  });
  const below = (badge, title) => badge.getBoundingClientRect().bottom > title.getBoundingClientRect().bottom + 1;
  const fallen = all(".admonition-title .claim").filter((badge) => below(badge, badge.closest(".admonition-title")));

  const same = (a, b) => a.replace(/\W+/g, " ").trim() === b.replace(/\W+/g, " ").trim();
  const captioned = all("figure img").filter((img) =>
    all("figcaption .caption-text", img.closest("figure")).some((caption) => same(caption.textContent, img.alt)));
  const levels = all("main :is(h1, h2, h3, h4, h5, h6)").filter(shown).map((e) => Number(e.tagName[1]));
  const named = (e) => e.ariaLabel || e.title || e.labels?.length || e.textContent.trim() || e.placeholder || e.querySelector("img[alt]");

  // Contrast by WCAG 2: 4.5, for large text 3, in both themes.
  const numbers = (color) => color.match(/[\d.]+/g).map((v, i) => Number(v) * (color.startsWith("color(srgb") && i < 3 ? 255 : 1));
  const luminance = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const over = ([r, g, b, a = 1], under) => [r, g, b].map((v, i) => a * v + (1 - a) * under[i]);
  const grounds = new Map(), ground = (e) => {
    if (!e) return [255, 255, 255];
    if (!grounds.has(e)) grounds.set(e, over(numbers(getComputedStyle(e).backgroundColor), ground(e.parentElement)));
    return grounds.get(e);
  };
  const contrast = new Set(), theme = document.documentElement.dataset.theme;
  document.head.insertAdjacentHTML("beforeend", "<style id='still'>* { transition: none !important; }</style>");
  for (const mode of desktop ? ["light", "dark"] : []) {
    document.documentElement.dataset.theme = mode;
    grounds.clear();
    for (const e of new Set(words)) {
      const style = getComputedStyle(e), size = parseFloat(style.fontSize), under = ground(e);
      const [high, low] = [luminance(over(numbers(style.color), under)), luminance(under)].sort((a, b) => b - a);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const ratio = (high + 0.05) / (low + 0.05);
      if (ratio < (large ? 3 : 4.5)) contrast.add(`${mode} ${ratio.toFixed(2)} ${e.tagName} ${e.className} in ${e.parentElement.className}`);
    }
  }
  document.documentElement.dataset.theme = theme;
  document.getElementById("still").remove();

  // How many characters a full line of plain text has: those of a paragraph by their width, at the mean width of its lines
  // but the last. And how large the headings are, by their level.
  const lines = all("article :is(p, li)").flatMap((e) => {
    if (!shown(e) || e.closest("table, figure, details, .chapter-links") || e.querySelector("mjx-container, code, ul, p, br")) return [];
    const range = document.createRange(), widths = new Map();
    range.selectNodeContents(e);
    for (const { top, left, right, height } of range.getClientRects()) {
      const line = [...widths.keys()].find((other) => Math.abs(other - top) < height / 2) ?? top;
      widths.set(line, (widths.get(line) ?? 0) + right - left);
    }
    const full = [...widths.values()].slice(0, -1), mean = full.reduce((sum, width) => sum + width, 0) / full.length;
    return full.length < 3 ? [] : [e.textContent.trim().replace(/\s+/g, " ").length / (full.length + [...widths.values()].at(-1) / mean)];
  });
  // The live pictures, beside the figures in whose place they are.
  const live = all(".live-controls").map((root) => {
    const figure = root.parentElement, svg = figure.querySelector("svg.live"), image = figure.querySelector("img");
    const { width, height } = svg?.getBoundingClientRect() ?? {};
    return {
      scene: JSON.parse(root.dataset.live).scene, ratio: height / width, hidden: image.getClientRects().length === 0,
      rest: image.getAttribute("height") / image.getAttribute("width"), most: width / figure.clientWidth,
      holds: svg?.querySelectorAll("[role=slider]").length ?? 0, waiting: root.querySelectorAll("button:disabled").length,
    };
  });
  const sizes = [1, 2, 3, 4].map((level) => all(`article h${level}`).map((e) => getComputedStyle(e)).map((style) => [parseFloat(style.fontSize), Number(style.fontWeight)]));

  return {
    lines,
    live,
    moves: all(".moves").map((e) => e.role),
    sizes,
    faults: {
      formulas: [...raw, ...texts(all("mjx-merror, [data-mjx-error]")), ...texts(all("main .math").filter((e) => !e.querySelector("mjx-container")))],
      images: texts(all("img:not([alt]), main img[alt='']")),
      captions: texts(captioned),
      room: desktop ? texts(cut) : [],
      lines: texts(parted.map((e) => e.closest("p") ?? e)),
      badges: texts(fallen),
      width: [...texts(wide), ...(overflow > 0 ? [`${overflow} pixels`] : [])],
      headings: levels.filter((level, i) => (i === 0) !== (level === 1) || level > (levels[i - 1] ?? 0) + 1),
      tables: texts(all("main table").filter((table) => !table.querySelector("th") && !table.matches(".indextable"))),
      names: texts(all("button, select, input:not([type=hidden]), a[href]").filter((e) => shown(e) && !named(e))),
      language: document.documentElement.lang ? [] : ["none"],
      icon: document.querySelector("link[rel=icon][href]") ? [] : ["none"],
      contrast: [...contrast],
    },
    formulas: all("main mjx-container").length,
    figures: all("article figure img").filter(shown).map((img) => [img.src, img.getBoundingClientRect().width]),
    next: document.querySelector("a.right-next")?.href,
    previous: document.querySelector("a.left-prev")?.href,
    blocks: Object.fromEntries(all(".proof[id]").map((e) => [e.id, all(".admonition-title a.claim", e).map((a) => a.href)])),
  };
}
