/* Sliders: a control below a figure exchanges its images among pictures that were drawn when the chapter was executed
   (see edition/sphinx_ext/sliders.py). Nothing moves but by the reader's hand. */
for (const control of document.querySelectorAll(".figure-slider")) {
  const range = control.querySelector("input"), output = control.querySelector("output");
  const { light, dark, texts } = JSON.parse(control.dataset.slider);
  const figure = control.parentElement, link = figure.querySelector("a.enlarge"), rest = range.defaultValue;
  const themes = [[light, figure.querySelector("img.only-light")], [dark, figure.querySelector("img.only-dark")]];
  const loaded = {}; // decoded pictures by address, held so that the browser keeps them

  /* Of all pictures of the theme in sight, from the first touch on, so that none is waited for. */
  const inSight = () => themes.find(([, image]) => image.checkVisibility?.() ?? image.offsetParent) ?? themes[0];
  const load = (address) => {
    loaded[address] ??= Object.assign(new Image(), { src: address });
    return loaded[address].decode();
  };
  const loadAll = () => inSight()[0].forEach((address) => load(address).catch(() => {})); // a missing one is told on use

  /* The former picture stays until the next is decoded: no flicker; what was passed meanwhile is left out. */
  const show = async () => {
    const chosen = range.value;
    output.value = texts[chosen];
    range.setAttribute("aria-valuetext", texts[chosen]);
    await load(inSight()[0][chosen]);
    if (chosen !== range.value) return;
    for (const [pictures, image] of themes) image.src = pictures[chosen];
    if (link) Object.assign(link, { href: light[chosen] }).dataset.dark = dark[chosen]; // what is enlarged
  };

  range.value = rest; // some browsers keep what was chosen before the page was loaded again
  range.addEventListener("input", show);
  for (const event of ["pointerenter", "pointerdown", "focus"]) range.addEventListener(event, loadAll, { once: true });
  control.hidden = false;
}
