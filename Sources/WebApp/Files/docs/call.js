import { compact } from "./json.js";

/** The path prefix of the server that served this file, such as `/rowhouse`; empty for none. */
export const base = new URL("..", import.meta.url).pathname.slice(0, -1);

/** The URL of a call from the form: `{method, template, values: [{in, name, value}], type, body, file}`. */
export function urlOf(call) {
  let path = call.template;
  const query = [];
  for (const { in: place, name, value } of call.values) {
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    if (place === "query" && value !== "") query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  return location.origin + base + path + (query.length ? `?${query.join("&")}` : "");
}

function headersOf(call, token) {
  const headers = call.values.filter(({ in: place, value }) => place === "header" && value !== "")
    .map(({ name, value }) => [name, value]);
  if (token) headers.unshift(["Authorization", `Bearer ${token}`]);
  if (call.type && (call.body !== "" || call.file)) headers.push(["Content-Type", call.type]);
  return headers;
}

// Within single quotes, a shell interprets only the single quote.
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call as a shell command, with JSON on one line. */
export function curlLine(call, token) {
  const parts = ["curl", call.isStream ? "-sN" : "-s"];
  const hasBody = call.takesFile || (call.type && call.body !== "");
  if (call.method !== (hasBody ? "POST" : "GET")) parts.push("-X", call.method);
  for (const [name, value] of headersOf(call, token)) {
    if (name !== "Content-Type") parts.push("-H", quoted(`${name}: ${value}`));
  }
  if (hasBody) parts.push("-H", quoted(`Content-Type: ${call.type}`));
  if (call.takesFile) parts.push("--data-binary", quoted(`@${call.file?.name ?? "photo.jpg"}`));
  else if (hasBody) parts.push("--data-binary", quoted(compact(call.body)));
  return [...parts, quoted(urlOf(call))].join(" ");
}

/** Sends the call. */
export function send(call, token, signal) {
  const body = call.takesFile ? call.file : call.body === "" ? undefined : call.body;
  return fetch(urlOf(call), {
    method: call.method, headers: headersOf(call, token), body: call.type ? body : undefined, signal,
    cache: "no-store", credentials: "omit", redirect: "manual",
  });
}
