import { element } from "./element.js";

/** A button that copies the text of a function to the clipboard, and its status. */
export function copyButton(text) {
  const copied = element("span", { role: "status" });
  return [element("button", { type: "button", click: async () => {
    await copyText(text());
    copied.textContent = "Copied";
    setTimeout(() => { copied.textContent = ""; }, 2000);
  } }, "Copy"), copied];
}

async function copyText(text) {
  if (navigator.clipboard) { await navigator.clipboard.writeText(text); return; }
  // Except on loopback, browsers offer the clipboard to HTTPS pages only.
  const area = element("textarea", { class: "offscreen" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
