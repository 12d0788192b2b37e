/** Matches the tokens of JSON without the space between them. */
const pieces = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON on one line, with numbers and strings unchanged. Other text is returned unchanged. */
export const compact = (text) => (isJSON(text) ? text.match(pieces).join("") : text);

/** JSON with a line for each member, with numbers and strings unchanged. Other text is returned unchanged. */
export function indented(text) {
  if (!isJSON(text)) return text;
  let depth = 0;
  let before = "";
  let made = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [piece] of text.matchAll(pieces)) {
    if (piece === "}" || piece === "]") {
      depth -= 1;
      if (before !== "{" && before !== "[") made += line();
    } else if (before === "{" || before === "[" || before === ",") made += line();
    made += piece === ":" ? ": " : piece;
    if (piece === "{" || piece === "[") depth += 1;
    before = piece;
  }
  return made;
}
