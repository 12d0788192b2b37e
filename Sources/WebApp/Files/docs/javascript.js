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

/** An example of lists that work without a network. */
const offlineExample = () => {
  const server = location.origin + base;
  return `const { Rowhouse } = await import("${server}/client/rowhouse.js");
const { OfflineStore } = await import("${server}/client/offline.js");
const store = await OfflineStore.open(new Rowhouse("${server}", { token: null }), { name: "docs" });
store.subscribe(({ status }) => console.log(status.connection, status.waiting.length));
store.start();
await store.keep("root");

// Shown at once, stored in the browser, and sent when the server is reached.
const { command } = await store.createList("root", { title: "Rucksack" });
await store.createItem(command.list.id, { name: "Torch" });
console.log(store.rows(command.list.id).map((row) => row.title));`;
};

/** The section about the JavaScript client, with an example to paste. */
export function javascriptView() {
  const link = (name) => element("a", { href: `${base}/client/${name}` }, name);
  return element("section", { class: "group", "aria-labelledby": javascriptID },
    element("h2", { id: javascriptID }, "JavaScript client"),
    ...prose("Every server has a client for browsers and Node.js 20 or newer: ES modules without dependencies."),
    element("p", {}, "Import ", link("rowhouse.js"), " from the server, or copy it into your project. Its types for ",
      "TypeScript are in ", link("rowhouse.d.ts"), "."),
    ...sample("Example", example()),
    element("p", {}, "Lists that work without a network are in ", link("offline.js"), ", with types in ",
      link("offline.d.ts"), ". A copy of it also needs ", link("storage.js"), ", ", link("renditions.js"), " and ", link("view.js"), "."),
    ...sample("Example without a network", offlineExample()));
}

/** A program with a button that copies it. */
const sample = (label, text) => [
  element("pre", { tabindex: 0, "aria-label": label }, text),
  element("div", { class: "buttons" }, ...copyButton(() => text)),
];
