import { base } from "./call.js";
import { onTokenChange, token } from "./token.js";

/** The most lists searched for an item. */
const mostLists = 20;
/** Milliseconds for which a found id is reused. */
const lifetime = 2000;
let found = new Map();
onTokenChange(() => { found = new Map(); });

async function read(path) {
  const response = await fetch(base + path, {
    headers: token() ? { Authorization: `Bearer ${token()}` } : {}, cache: "no-store", credentials: "omit" });
  return response.ok ? response.json() : {};
}

/** An item, preferably one with a photo. */
async function item() {
  const lists = await read(`/v1/lists?subtree=true&limit=${mostLists}`);
  for (const id of ["root", ...(lists.lists ?? []).map((list) => list.id)]) {
    const { rows = [] } = await read(`/v1/lists/${id}/rows?type=item&sentinel=false&limit=50`);
    const row = rows.find((each) => each.item.photo) ?? rows[0];
    if (row) return row.item;
  }
  return undefined;
}

const first = (path, members, name) => async () => (await read(path))[members]?.[0]?.[name];

const sources = {
  item,
  navigatorId: first("/v1/navigators", "navigators", "id"),
  revision: first("/v1/changes?limit=1", "changes", "revision"),
  tokenId: first("/v1/tokens", "tokens", "id"),
  inventoryId: first("/v1/inventories", "inventories", "id"),
  rowId: first("/v1/lists/root/rows?sentinel=false&limit=1", "rows", "id"),
  trashedId: first("/v1/trash?limit=1", "trash", "id"),
};

function source(name) {
  if (!found.has(name)) {
    found.set(name, sources[name]().catch(() => undefined));
    setTimeout(() => found.delete(name), lifetime);
  }
  return found.get(name);
}

/** An existing id for a path's placeholder. Undefined if none exists or none is needed. */
export async function knownValue(template, name) {
  if (name === "itemId") return (await source("item"))?.id;
  if (name === "photoId") return (await source("item"))?.photo;
  if (name === "rowId" && template.startsWith("/v1/trash/")) return source("trashedId");
  return name in sources ? source(name) : undefined;
}

const bodies = {
  moveRows: async () => {
    const { rows = [] } = await read("/v1/lists/root/rows?sentinel=false&limit=2");
    return rows.length ? { ids: rows.map((row) => row.id), position: "first" } : undefined;
  },
  reorderPhotos: async () => {
    const { id } = (await source("item")) ?? {};
    const { photos = [] } = id ? await read(`/v1/items/${id}`) : {};
    return photos.length ? { ids: photos.toReversed() } : undefined;
  },
};

/** A call's body with existing ids. Undefined if none exist or none are needed. */
export async function knownBody(operationId) {
  return bodies[operationId]?.().catch(() => undefined);
}
