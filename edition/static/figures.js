/* A click on a figure, or Enter on it, shows it as large as the window. Escape, the button and another click lead back;
   the browser returns the focus to the figure. */
document.addEventListener("DOMContentLoaded", () => {
  const figures = document.querySelectorAll("a.enlarge");
  if (!figures.length || !window.HTMLDialogElement) return; // the link leads to the image
  const dialog = document.createElement("dialog");
  const image = new Image(), close = document.createElement("button"), room = document.createElement("div");
  dialog.className = "enlarged";
  close.type = "button";
  close.textContent = "Close";
  dialog.append(close, room);
  document.body.append(dialog);
  for (const figure of figures)
    figure.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in a tab of its own
      event.preventDefault();
      image.src = figure.getAttribute("href");
      image.alt = figure.querySelector("img").alt;
      room.replaceChildren(image);
      dialog.setAttribute("aria-label", figure.closest("figure")?.querySelector(".caption-number")?.textContent.trim() ?? "Figure");
      dialog.showModal();
    });
  close.addEventListener("click", () => dialog.close());
  room.addEventListener("click", () => dialog.close());
});
