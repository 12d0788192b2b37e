import { element, phrase } from "./element.js";

/** The target of a reference within the document. Other values are returned unchanged. */
export function resolve(contract, value) {
  if (!value || !value.$ref) return value;
  return value.$ref.slice(2).split("/").reduce((place, key) => place[key], contract);
}

const nameOf = (schema) => schema.$ref?.split("/").at(-1);

/** The type in a few words: `Title`, `array of Row`, `string or null`. */
export function typeText(schema) {
  if (nameOf(schema)) return nameOf(schema);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((choice) => JSON.stringify(choice)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && !schema.properties) return choices.map(typeText).join(" or ");
  const types = [schema.type ?? "any"].flat();
  const text = types.join(" or ");
  if (types.includes("array") && schema.items) {
    return text.replace("array", `array of ${typeText(schema.items)}`);
  }
  return schema.format ? `${text} (${schema.format})` : text;
}

function bounds(schema) {
  const texts = [];
  const add = (text, value) => { if (value !== undefined) texts.push(`${text} ${value}`); };
  add("at least", schema.minimum);
  if (schema.maximum < Number.MAX_SAFE_INTEGER) add("at most", schema.maximum);
  if (schema.minLength > 1) add("characters, at least", schema.minLength);
  add("characters, at most", schema.maxLength);
  add("entries, at least", schema.minItems);
  add("entries, at most", schema.maxItems);
  add("default", schema.default === undefined ? undefined : JSON.stringify(schema.default));
  return texts.join(", ");
}

/** The parts of a schema with members, with their names. */
function parts(contract, schema) {
  if (!schema) return [];
  if (schema.$ref) {
    return parts(contract, resolve(contract, schema)).map((part) => ({ ...part, name: part.name ?? nameOf(schema) }));
  }
  if (schema.properties && schema.type === "object") return [{ schema }];
  const inner = [schema.anyOf, schema.oneOf, schema.allOf].flat().filter(Boolean);
  if (schema.items) inner.push(schema.items);
  return inner.flatMap((each) => parts(contract, each));
}

function member(contract, name, schema, isRequired) {
  const described = schema.description ?? resolve(contract, schema).description;
  const inner = parts(contract, schema);
  const limit = bounds(schema.$ref ? resolve(contract, schema) : schema);
  return element("li", {},
    element("code", { class: "name" }, name), " ",
    element("span", { class: "type" }, typeText(schema)),
    isRequired ? null : element("span", { class: "optional" }, " optional"),
    described ? element("div", { class: "note" }, phrase(described)) : null,
    limit ? element("div", { class: "note" }, limit) : null,
    inner.length ? folded(contract, inner) : null);
}

function folded(contract, inner) {
  const list = element("details", { class: "members" }, element("summary", {}, "Members"));
  list.addEventListener("toggle", () => {
    if (list.open && list.children.length === 1) list.append(...inner.map((part) => members(contract, part)));
  });
  return list;
}

function members(contract, { name, schema }) {
  const taken = Object.entries(schema.properties)
    .filter(([, value]) => value.description !== "Accepted and ignored.");
  const ignored = Object.keys(schema.properties).filter((key) => !taken.some(([name]) => name === key));
  return element("div", { class: "schema" },
    name ? element("div", { class: "schema-name" }, name) : null,
    schema.description ? element("p", { class: "note" }, phrase(schema.description)) : null,
    element("ul", {}, ...taken.map(([key, value]) =>
      member(contract, key, value, schema.required?.includes(key)))),
    ignored.length
      ? element("p", { class: "note" }, `Accepted and ignored: ${ignored.join(", ")}.`) : null);
}

/** A schema with its members. Nested members are folded. */
export function schemaView(contract, schema) {
  const inner = parts(contract, schema);
  const named = schema.$ref ? resolve(contract, schema) : schema;
  return element("div", { class: "schema" },
    element("p", {}, element("span", { class: "type" }, typeText(schema))),
    named.description && !named.properties ? element("p", { class: "note" }, phrase(named.description)) : null,
    ...inner.map((part) => members(contract, part)));
}

/** The problem codes of a response. */
export function problemCodes(contract, schema) {
  if (!schema) return [];
  if (schema.$ref) {
    const named = resolve(contract, schema);
    return named.properties?.code?.const ? [named.properties.code.const] : [];
  }
  return [
    ...(schema.properties?.code?.enum ?? []),
    ...[schema.anyOf, schema.allOf].flat().filter(Boolean).flatMap((each) => problemCodes(contract, each)),
  ];
}
