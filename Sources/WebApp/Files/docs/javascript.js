import { base } from "./call.js";
import { copyButton } from "./copy.js";
import { element, prose } from "./element.js";

/** The id of the section about the JavaScript client. */
export const javascriptID = "javascript-client";

/** An example that works in a module, and in the browser's console on this page. */
const example = () => {
  const server = location.origin + base;
  return `const { ListMirror, Rowhouse } = await import("${server}/client/rowhouse.js");
const rowhouse = new Rowhouse("${server}", { token: null });
const garage = await rowhouse.createList({ title: "Garage" });
await rowhouse.createItem(garage.id, { name: "Bicycle", valueInDollars: 350 });

// Follow the list: the rows, then each change as a batch update of a table view.
const mirror = new ListMirror(rowhouse, garage.id);
mirror.subscribe((update) => console.log(update.type, update.rows.map((row) => row.title)));
await mirror.start();
await rowhouse.createItem(garage.id, { car: { make: "Saab", model: "900" }, position: "first" });`;
};

/** The section about the JavaScript client, with an example to paste. */
export function javascriptView() {
  const text = example();
  return element("section", { class: "group", "aria-labelledby": javascriptID },
    element("h2", { id: javascriptID }, "JavaScript client"),
    ...prose("Every server has a client for browsers and Node.js 20 or newer: one ES module without dependencies."),
    element("p", {}, "Import ", element("a", { href: `${base}/client/rowhouse.js` }, "rowhouse.js"),
      " from the server, or copy it into your project. Its types for TypeScript are in ",
      element("a", { href: `${base}/client/rowhouse.d.ts` }, "rowhouse.d.ts"), "."),
    element("pre", { tabindex: 0, "aria-label": "Example" }, text),
    element("div", { class: "buttons" }, ...copyButton(() => text)));
}
