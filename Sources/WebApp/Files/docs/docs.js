import { base } from "./call.js";
import { element, prose } from "./element.js";
import { javascriptID, javascriptView } from "./javascript.js";
import { operationView } from "./operation.js";

const main = document.getElementById("main");
const state = document.getElementById("state");
const search = document.getElementById("find");
const contents = document.getElementById("contents");

const methods = ["get", "post", "put", "patch", "delete"];

function operations(contract) {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ method, path, operation: item[method] })));
}

/** The searchable text of a call, in lower case. */
function searchText({ method, path, operation }) {
  return [
    method, path, operation.operationId, operation.summary, operation.description, operation.tags[0],
    ...Object.entries(operation.responses).map(([status, response]) => `${status} ${response.$ref ?? ""}`),
  ].join(" ").toLowerCase();
}

function show(contract) {
  const all = operations(contract).map((each) => ({
    ...each, text: searchText(each), view: operationView(contract, each),
    link: element("a", { href: `#${each.operation.operationId}` }, each.operation.summary),
  }));
  const groups = contract.tags.map((tag) => {
    const calls = all.filter((each) => each.operation.tags[0] === tag.name);
    const id = `tag-${tag.name.toLowerCase().replaceAll(" ", "-")}`;
    return {
      calls,
      section: element("section", { class: "group", "aria-labelledby": id },
        element("h2", { id }, tag.name), ...prose(tag.description), ...calls.map((each) => each.view)),
      index: element("div", {}, element("h2", {}, element("a", { href: `#${id}` }, tag.name)),
        element("ul", {}, ...calls.map((each) => element("li", {}, each.link)))),
    };
  });
  document.getElementById("index").append(
    element("div", {}, element("h2", {}, element("a", { href: `#${javascriptID}` }, "JavaScript client"))),
    ...groups.map((group) => group.index));
  main.append(
    element("div", { class: "intro" }, ...prose(contract.info.description),
      element("p", {}, "This page shows the ", element("a", { href: `${base}/openapi.json` }, "OpenAPI document"), " (OpenAPI 3.1). ",
        "Each error code is explained in the ", element("a", { href: `${base}/problems` }, "list of problems"), ".")),
    javascriptView(),
    ...groups.map((group) => group.section));
  state.textContent = "";

  search.addEventListener("input", () => filter(all, groups));
  filter(all, groups);
  addEventListener("hashchange", () => open(all));
  open(all);
}

function filter(all, groups) {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const each of all) {
    const isFound = words.every((word) => each.text.includes(word));
    each.view.hidden = !isFound;
    each.link.parentElement.hidden = !isFound;
    if (isFound) count += 1;
  }
  for (const { calls, section, index } of groups) {
    section.hidden = index.hidden = calls.every((each) => each.view.hidden);
  }
  state.textContent = words.length ? `${count} of ${all.length} calls` : "";
}

function open(all) {
  const found = all.find((each) => each.operation.operationId === location.hash.slice(1));
  if (!found) return;
  if (found.view.hidden) {
    search.value = "";
    search.dispatchEvent(new Event("input"));
  }
  found.view.open = true;
  found.view.scrollIntoView();
  found.view.querySelector("summary").focus({ preventScroll: true });
}

document.getElementById("tools").addEventListener("submit", (event) => event.preventDefault());
const wide = matchMedia("(min-width: 60rem)");
const unfold = () => { contents.open = wide.matches; };
wide.addEventListener("change", unfold);
unfold();

try {
  const response = await fetch(`${base}/openapi.json`);
  if (!response.ok) throw new Error(`status ${response.status}`);
  show(await response.json());
} catch (error) {
  state.textContent = `The OpenAPI document could not be loaded (${error.message}). Reload the page.`;
}
