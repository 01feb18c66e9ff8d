/* What a link leads to, shown beside it while the pointer or the keyboard's focus is on it: terms, symbols, equations,
   figures and claims. The links stay links. A finger cannot point: its first tap shows the box, which has the link once
   more, and its second follows the link. Without script links are followed as usual.
   Nothing is loaded until a reader first points at one: then the texts of the page that it leads to, which are a script
   because from files a browser lets a page read nothing else, and tippy.js, which places the box. */
document.addEventListener("DOMContentLoaded", () => {
  const article = document.querySelector("article");
  if (!article) return;
  const root = document.documentElement.dataset.content_root ?? "./";
  const kinds = ["#term-", "#symbol-", "#equation-", "#claim-"].map((start) => `[href*="${start}"]`);
  const shown = `a:is(${kinds}):not(.headerlink, .external), a:has(> .std-numref)`;
  const [pointed, wait] = [200, 100]; // milliseconds until a box appears, and until it goes, for the pointer to reach it

  const loading = new Map(), entries = {};
  window.hoverEntries = (found) => Object.assign(entries, found);
  const load = (name) => {
    const attempt = () => new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: `${root}_static/${name}`, onload: resolve, onerror: reject });
      document.head.append(script);
    });
    if (!loading.has(name)) loading.set(name, attempt());
    return loading.get(name);
  };
  const loadBox = () => load("vendor/popperjs-core-2.11.8/popper.min.js").then(() => load("vendor/tippy.js-6.3.7/tippy.umd.min.js"));

  const prepare = async (link) => {
    const anchor = decodeURIComponent(link.hash.slice(1)), home = new URL(root, location).pathname;
    await Promise.all([loadBox(), load(`hovers/${link.pathname.slice(home.length).replace(/html$/, "js")}`)]);
    if (!entries[anchor]) return null;
    const box = document.createElement("div");
    box.className = "hover";
    box.innerHTML = entries[anchor];
    for (const image of box.querySelectorAll("img")) image.src = root + image.dataset.src;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return tippy(link, {
      content: box,
      arrow: false,
      offset: [0, 6],
      placement: "top-start",
      maxWidth: "30rem",
      interactive: true, // it stays while the pointer is in it, and its text can be selected
      appendTo: document.body,
      aria: { content: "describedby", expanded: false },
      delay: [pointed, wait],
      duration: still ? 0 : 150,
      onShow: (shown) => {
        if (shown.reference !== tapped && !isPointedAt(shown.reference)) return false; // a click moves the focus too
        tippy.hideAll({ exclude: shown });
      },
    });
  };

  const isPointedAt = (link) => link.matches(":hover, :focus-visible");
  const boxes = new WeakMap();
  const first = (event) => {
    const link = event.target.closest?.(shown);
    if (!link || boxes.has(link) || event.pointerType === "touch" || !isPointedAt(link)) return;
    const pause = new Promise((resolve) => setTimeout(resolve, event.type === "focusin" ? 0 : pointed));
    boxes.set(link, prepare(link));
    Promise.all([boxes.get(link), pause]).then(
      ([box]) => isPointedAt(link) && box?.show(),
      () => {}, // a script is missing: the link still leads to what it would have shown
    );
  };
  article.addEventListener("pointerover", first);
  article.addEventListener("focusin", first);
  let finger = false, tapped = null;
  const onward = (link) => {
    const line = document.createElement("p");
    line.className = "hover-onward";
    line.append(Object.assign(document.createElement("a"), { href: link.href, textContent: "Go there" }));
    return line;
  };
  document.addEventListener("pointerdown", (event) => (finger = event.pointerType === "touch"), true);
  article.addEventListener("click", async (event) => {
    const link = event.target.closest?.(shown);
    if (!link) return;
    if (!finger || event.ctrlKey || event.metaKey || event.shiftKey || link === tapped) return void window.tippy?.hideAll();
    event.preventDefault();
    tapped = link;
    if (!boxes.has(link)) boxes.set(link, prepare(link));
    const box = await boxes.get(link).catch(() => null);
    if (!box) return void location.assign(link.href); // there is nothing to show
    if (!box.props.content.querySelector(".hover-onward")) box.props.content.append(onward(link));
    box.setProps({ trigger: "manual" }); // the mouse that a browser makes of a finger hides it again
    box.show();
  });
  document.addEventListener("click", (event) => tapped?.contains(event.target) || (tapped = null), true);
  document.addEventListener("keydown", (event) => event.key === "Escape" && window.tippy?.hideAll());
});
