import { base, curlLine, send, urlOf } from "./call.js";
import { copyButton } from "./copy.js";
import { element, phrase, prose } from "./element.js";
import { indented } from "./json.js";
import { knownBody, knownValue } from "./known.js";
import { problemCodes, resolve, schemaView, typeText } from "./schema.js";
import { token, onTokenChange } from "./token.js";

/** A call of the API: its input and responses, a shell command, and a form to try it. */
export function operationView(contract, { method, path, operation }) {
  const details = element("details", { class: "operation", id: operation.operationId },
    element("summary", {},
      element("span", { class: `method ${method}` }, method.toUpperCase()), " ",
      element("code", { class: "path" }, ...path.split("/").flatMap((part, place) =>
        place ? ["/", element("wbr"), part] : [part])), " ",
      element("span", { class: "what" }, operation.summary)));
  // Made when first opened: a hundred forms at once are slow on a phone.
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(content(contract, method, path, operation));
  });
  return details;
}

function content(contract, method, path, operation) {
  const parameters = (operation.parameters ?? []).map((each) => resolve(contract, each));
  const form = callForm(contract, method, path, operation, parameters);
  return element("div", { class: "content" },
    ...prose(operation.description),
    form,
    parameters.length ? section("Parameters", parameterTable(contract, parameters)) : null,
    operation.requestBody ? section("Request body", bodyView(contract, operation.requestBody)) : null,
    section("Responses", responses(contract, operation)));
}

const section = (title, ...children) => element("section", {}, element("h3", {}, title), ...children);

function parameterTable(contract, parameters) {
  return element("ul", { class: "parameters" }, ...parameters.map((each) =>
    element("li", {},
      element("code", { class: "name" }, each.name), " ",
      element("span", { class: "type" }, `${each.in}, ${typeText(each.schema)}`),
      each.required ? null : element("span", { class: "optional" }, " optional"),
      element("div", { class: "note" }, phrase(each.description)))));
}

function bodyView(contract, body) {
  const [type, media] = Object.entries(body.content)[0];
  const examples = Object.entries(media.examples ?? {});
  return element("div", {},
    element("p", {}, Object.keys(body.content).join(", ")),
    schemaView(contract, media.schema),
    ...examples.map(([name, { value }]) => element("figure", {},
      element("figcaption", {}, name), element("pre", {}, bodyText(value)))));
}

const bodyText = (value) => typeof value === "string" ? value : JSON.stringify(value, null, 2);

function responses(contract, operation) {
  return element("dl", {}, ...Object.entries(operation.responses).flatMap(([status, written]) => {
    const response = resolve(contract, written);
    const media = Object.entries(response.content ?? {});
    const isProblem = media[0]?.[0] === "application/problem+json";
    return [
      element("dt", {}, status),
      element("dd", {},
        isProblem ? codes(contract, media[0][1].schema) : phrase(response.description),
        ...(isProblem || !media.length ? [] : [answer(contract, response, media)])),
    ];
  }));
}

function codes(contract, schema) {
  return element("ul", { class: "codes" }, ...problemCodes(contract, schema).map((code) =>
    element("li", {}, element("a", { href: `${base}/problems/${code}` }, code))));
}

function answer(contract, response, media) {
  const [, first] = media[0];
  const headers = Object.keys(response.headers ?? {});
  const links = Object.keys(response.links ?? {});
  return element("details", { class: "members" },
    element("summary", {}, `${media.map(([type]) => type).join(", ")}: ${typeText(first.schema)}`),
    schemaView(contract, first.schema),
    headers.length ? element("p", { class: "note" }, `Header fields: ${headers.join(", ")}.`) : null,
    first.example === undefined ? null : element("pre", { tabindex: 0 }, bodyText(first.example)),
    links.length ? element("p", { class: "note" }, "Next calls: ",
      ...links.flatMap((id, place) => [place ? ", " : "", element("a", { href: `#${id}` }, id)]), ".") : null);
}

function callForm(contract, method, path, operation, parameters) {
  const id = operation.operationId;
  const types = Object.keys(operation.requestBody?.content ?? {});
  const media = types.length ? operation.requestBody.content[types[0]] : null;
  const takesFile = media?.schema?.format === "binary";
  const answers = Object.keys(operation.responses["200"]?.content ?? {});
  const isStream = answers.includes("text/event-stream");

  const fields = parameters.map((parameter) => ({ parameter, input: parameterInput(contract, id, parameter) }));
  const example = Object.values(media?.examples ?? {})[0]?.value;
  const text = media && !takesFile
    ? element("textarea", { id: `${id}-body`, rows: 6, spellcheck: "false" }) : null;
  if (text) text.value = example === undefined ? "" : bodyText(example);
  const file = takesFile ? element("input", { type: "file", id: `${id}-body`, accept: types.join(",") }) : null;

  const call = () => ({
    method: method.toUpperCase(), template: path, isStream, takesFile,
    values: fields.map(({ parameter, input }) => ({ in: parameter.in, name: parameter.name, value: input.value.trim() })),
    type: takesFile ? file.files[0]?.type || types[0] : types[0], body: text ? text.value : "",
    file: file?.files[0],
  });

  const line = element("pre", { class: "curl", tabindex: 0, "aria-label": "The call as a curl command" });
  const show = () => { line.textContent = curlLine(call(), token() && "rh_…"); };
  const result = element("div", { class: "result", "aria-live": "polite" });
  const go = element("button", { type: "submit", class: "try" }, "Try it");
  const stop = element("button", { type: "button", hidden: true }, "Stop");

  const rare = fields.filter(({ parameter }) => parameter.in === "header");
  const usual = fields.filter(({ parameter }) => parameter.in !== "header");
  const form = element("form", { class: "call", input: show, submit: (event) => {
    event.preventDefault();
    const filledIn = call();
    const question = method === "post" && creations.test(path) ? null : questions[`${method} ${path}`] ?? questions[method];
    if (question && !confirm(`${filledIn.method} ${urlOf(filledIn)}\n\n${question}`)) return;
    run(filledIn, { go, stop, result });
  } },
    element("div", { class: "line" }, line, ...copyButton(() => curlLine(call(), token()))),
    ...usual.map(labelled),
    text || file ? element("label", { for: `${id}-body` }, element("span", {}, "Body"), text ?? file) : null,
    rare.length ? element("details", { class: "rare" }, element("summary", {}, "Header fields"), ...rare.map(labelled)) : null,
    element("div", { class: "buttons" }, go, stop),
    result);
  onTokenChange(show);
  show();
  // A deletion is not filled in with existing ids.
  if (method !== "delete") fillIn(path, usual, show);
  if (text) fillInBody(id, text, show);
  return form;
}

/** Replaces example ids by existing ones, so that the call works unchanged. */
async function fillIn(path, fields, show) {
  for (const { parameter, input } of fields.filter((field) => field.parameter.in === "path")) {
    const example = input.value;
    const value = await knownValue(path, parameter.name);
    if (value === undefined || value === null || input.value !== example) continue;
    input.value = String(value);
    show();
  }
}

/** Replaces example ids in a body by existing ones. */
async function fillInBody(operationId, text, show) {
  const example = text.value;
  const value = await knownBody(operationId);
  if (value === undefined || text.value !== example) return;
  text.value = bodyText(value);
  show();
}

/** The POST calls that only create something, which can be deleted again. They are sent without a question. */
const creations = /\/(inventories|items|lists|navigators|photos|random|snapshot)$/;

/** The questions before other calls that write. */
const questions = {
  "post /v1/tokens": "After the first token, every request needs one. Keep the token of the answer: it is shown only once. Send the request?",
  post: "This changes existing data. Send the request?",
  patch: "This changes existing data. Send the request?",
  put: "This replaces existing data. Members that the body omits are reset. Send the request?",
  delete: "This deletes existing data. Send the request?",
};

function labelled({ parameter, input }) {
  return element("label", { for: input.id },
    element("span", {}, parameter.name, parameter.required ? "" : element("span", { class: "optional" }, " optional")), input);
}

function parameterInput(contract, id, parameter) {
  const schema = resolve(contract, parameter.schema);
  const attributes = { id: `${id}-${parameter.in}-${parameter.name}`, autocomplete: "off" };
  const choices = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : null);
  if (choices) {
    return element("select", attributes,
      element("option", { value: "" }, ""), ...choices.map((choice) => element("option", {}, choice)));
  }
  const given = parameter.example ?? schema.examples?.[0] ?? "";
  const input = element("input", {
    ...attributes, type: "text", spellcheck: "false", required: parameter.required,
    placeholder: parameter.in === "path" ? null : String(given),
  });
  if (parameter.required || (parameter.in === "query" && "example" in parameter)) input.value = String(given);
  return input;
}

async function run(call, { go, stop, result }) {
  const control = new AbortController();
  go.disabled = true;
  stop.hidden = !call.isStream;
  stop.onclick = () => control.abort();
  result.replaceChildren(element("p", {}, "Sending …"));
  try {
    const began = performance.now();
    const response = await send(call, token(), control.signal);
    const took = Math.round(performance.now() - began);
    const body = element("pre", { tabindex: 0, "aria-label": "Response body" });
    result.replaceChildren(
      element("p", { class: response.ok ? "good" : "bad" }, `${response.status} ${response.statusText}, ${took} ms`),
      element("details", {}, element("summary", {}, "Header fields"),
        element("pre", {}, [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"))),
      body);
    await showBody(response, body);
  } catch (error) {
    if (error.name !== "AbortError") result.replaceChildren(element("p", { class: "bad" }, `The request failed: ${error.message}`));
  }
  go.disabled = false;
  stop.hidden = true;
}

const longest = 200_000;

async function showBody(response, body) {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("image/")) {
    const url = URL.createObjectURL(await response.blob());
    body.replaceWith(element("img", { src: url, alt: "The photo", load: () => URL.revokeObjectURL(url) }));
  } else if (type.startsWith("text/event-stream")) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      body.textContent = (body.textContent + piece.value).slice(-longest);
    }
  } else {
    const text = await response.text();
    if (text === "") { body.remove(); return; }
    body.textContent = (type.includes("json") && !type.includes("ndjson") ? indented(text) : text).slice(0, longest);
  }
}
