// A slider, or a picture, with a name for those who cannot see it: ipywidgets' own have none.
function make(tag, given, ...inside) {
  const node = Object.assign(document.createElement(tag), given);
  node.append(...inside);
  return node;
}

function slider(model, el) {
  const input = make("input", { type: "range", min: model.get("min"), max: model.get("max"), step: model.get("step") });
  const value = make("output");
  const shown = () => { value.textContent = String(Number(Number(input.value).toFixed(2))); };
  const draw = () => { input.value = model.get("value"); shown(); };
  input.oninput = shown;
  input.onchange = () => { model.set("value", Number(input.value)); model.save_changes(); };
  el.append(make("label", { className: "rl-slider" }, make("span", { textContent: model.get("name") }), input, value));
  // Arrow keys are the slider's: JupyterLab would choose another cell by them.
  input.setAttribute("data-lm-suppress-shortcuts", "true");
  el.addEventListener("keydown", (event) => event.stopPropagation());
  model.on("change:value", draw);
  draw();
  return () => model.off("change:value", draw);
}

function picture(model, el) {
  const image = make("img", { className: "rl-drawn", alt: model.get("name") });
  let url = "";
  const draw = () => {
    const old = url;
    image.src = url = URL.createObjectURL(new Blob([model.get("png")], { type: "image/png" }));
    if (old) URL.revokeObjectURL(old);
  };
  image.style.maxWidth = "100%";
  el.append(image);
  model.on("change:png", draw);
  draw();
  return () => { URL.revokeObjectURL(url); model.off("change:png", draw); };
}

export default { render: ({ model, el }) => (model.get("kind") === "slider" ? slider : picture)(model, el) };
