/* Sliders: a control below a figure exchanges its image among pictures that were drawn when the chapter was executed
   (see edition/sphinx_ext/sliders.py). Nothing moves but by the reader's hand. */
for (const control of document.querySelectorAll(".figure-slider")) {
  const range = control.querySelector("input"), output = control.querySelector("output");
  const { pictures, texts } = JSON.parse(control.dataset.slider);
  const image = control.parentElement.querySelector("img"), rest = range.defaultValue;
  const loaded = []; // decoded pictures, held so that the browser keeps them

  /* Of all pictures, from the first touch on, so that none is waited for; the one that is shown comes first. */
  const load = (index) => {
    loaded[index] ??= Object.assign(new Image(), { src: pictures[index] });
    return loaded[index].decode();
  };
  const loadAll = () => pictures.forEach((_, index) => load(index).catch(() => {})); // a missing one is told on use

  /* The former picture stays until the next is decoded: no flicker; what was passed meanwhile is left out. */
  const show = async () => {
    const chosen = range.value;
    output.value = texts[chosen];
    range.setAttribute("aria-valuetext", texts[chosen]);
    await load(chosen);
    if (chosen === range.value) image.src = pictures[chosen];
  };

  range.value = rest; // some browsers keep what was chosen before the page was loaded again
  range.addEventListener("input", show);
  for (const event of ["pointerenter", "pointerdown", "focus"]) range.addEventListener(event, loadAll, { once: true });
  control.hidden = false;
}
