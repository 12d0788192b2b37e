/** A client of Rowhouse for browsers and Node.js 20 or newer. `rowhouse.js` describes each call. */

import type { OfflineStore } from './offline.js';

export type ID = string;
export type Revision = number;
/** A time like `2026-11-20T08:30:00Z`. */
export type Time = string;
export type Direction = 'ltr' | 'rtl';
/** `else` counts if the list does not have the other row. */
export type Position = { index: number } | AnchoredPosition;
export type AnchoredPosition =
  | 'first' | 'last' | { before: ID; else?: AnchoredPosition | null } | { after: ID; else?: AnchoredPosition | null };

export interface Permissions { add: boolean; edit: boolean; move: boolean; delete: boolean }
export interface Sentinel { text: string; visible: boolean }

export interface List {
  id: ID;
  parentId: ID | null;
  itemId: ID | null;
  title: string;
  itemKind: 'thing' | 'car' | 'any';
  rowCount: number;
  totalValueInDollars: number;
  permissions: Permissions;
  can: Permissions;
  sentinel: Sentinel;
  deleteLabel: string;
  /** One character to show beside the title, such as an emoji. */
  glyph: string | null;
  /** Choose a shade that suits your background. */
  colour: 'red' | 'orange' | 'yellow' | 'green' | 'teal' | 'blue' | 'purple' | 'grey' | null;
  dir: Direction;
  revision: Revision;
  createdAt: Time;
  updatedAt: Time;
}

export interface ListDraft {
  id?: ID | null;
  parentId?: ID | null;
  title: string;
  itemKind?: List['itemKind'] | null;
  permissions?: Partial<Permissions> | null;
  sentinel?: { text?: string | null; visible?: boolean } | null;
  deleteLabel?: string | null;
  glyph?: List['glyph'];
  colour?: List['colour'];
  position?: Position | null;
}
export type ListPatch = Partial<Omit<ListDraft, 'id' | 'parentId' | 'position'>>;

export interface Car { make: string | null; model: string | null; year: number | null; fuelAmount: number | null }

export interface Item {
  id: ID;
  listId: ID;
  kind: 'thing' | 'car';
  name: string | null;
  serialNumber: string | null;
  valueInDollars: number | null;
  quantity: number;
  notes: string | null;
  tags: string[];
  /** Values of JSON. A number that JavaScript would round is an `ExactNumber`. */
  fields: Record<string, unknown>;
  car: Car | null;
  contentsListId: ID | null;
  photos: ID[];
  revision: Revision;
  createdAt: Time;
  updatedAt: Time;
}

export interface ItemPatch {
  name?: string | null;
  serialNumber?: string | null;
  valueInDollars?: number | null;
  quantity?: number | null;
  notes?: string | null;
  tags?: string[] | null;
  fields?: Record<string, unknown> | null;
  car?: Partial<Car> | null;
}
export interface ItemDraft extends ItemPatch {
  id?: ID | null;
  kind?: Item['kind'] | null;
  createdAt?: Time | null;
  position?: Position | null;
}
export type ItemReplacement = ItemPatch & { id: ID };

interface RowBase { index: number; title: string; canMove: boolean; canEdit: boolean; canDelete: boolean }
export interface ListRow extends RowBase {
  type: 'list';
  id: ID;
  detail: string | null;
  list: Pick<List, 'id' | 'title' | 'rowCount' | 'totalValueInDollars' | 'glyph' | 'colour'>;
}
export interface ItemRow extends RowBase {
  type: 'item';
  id: ID;
  detail: string | null;
  item: Pick<Item, 'id' | 'kind' | 'name' | 'serialNumber' | 'valueInDollars' | 'quantity' | 'tags' | 'car'
    | 'contentsListId'> & { photo: ID | null };
}
export interface SentinelRow extends RowBase { type: 'sentinel'; id: null; detail: null }
export type Row = ListRow | ItemRow | SentinelRow;

export interface RowPage {
  dir: Direction;
  listId: ID;
  revision: Revision;
  count: number;
  rows: Row[];
  matched?: number;
  sections?: { title: string; count: number; first: number }[] | null;
}

export interface RowDelta {
  listId: ID;
  fromRevision: Revision;
  toRevision: Revision;
  list: Partial<List> | null;
  countBefore: number;
  countAfter: number;
  deletes: number[];
  inserts: { index: number; row: Row }[];
  moves: { from: number; to: number }[];
  reloads: number[];
  reloadsAfter: { index: number; row: Row }[];
  resync?: undefined;
}
export interface ResyncDelta { listId: ID; resync: true }
export type Delta = RowDelta | ResyncDelta;

export interface Receipt {
  revision: Revision;
  changed: boolean;
  retargeted: boolean;
  deltas: Delta[];
  undo: string | null;
  requestId: string;
}
/** A created or changed list or item, with its index and the receipt. */
export type Written<Resource> = Resource & { index: number | null; receipt: Receipt };

type Subject = { id: ID } | { index: number; id?: ID };
export interface Batch {
  deletes?: Subject[];
  inserts?: ({ index: number; item: Omit<ItemDraft, 'position'> }
    | { index: number; list: Omit<ListDraft, 'position' | 'parentId'> })[];
  moves?: ({ id: ID; to: number } | { from: number; id?: ID; to: number })[];
  updates?: { id: ID; patch: ItemPatch | ListPatch }[];
}
export interface BatchAnswer {
  results: {
    deletes: { id: ID; index: number }[];
    inserts: ((Item | List) & { index: number })[];
    moves: { id: ID; from: number; to: number }[];
    updates: ((Item | List) & { index: number | null })[];
  };
  receipt: Receipt;
}

export type SyncCommand = { sequence: number } & (
  | { type: 'createList'; listId: ID; list: ListDraft & { id: ID }; position?: AnchoredPosition | null }
  | { type: 'createItem'; listId: ID; item: ItemDraft & { id: ID }; position?: AnchoredPosition | null }
  | { type: 'editList'; id: ID; patch: ListPatch; from: ListPatch }
  | { type: 'editItem'; id: ID; patch: ItemPatch; from: Partial<Item> }
  | { type: 'moveRows'; ids: ID[]; listId: ID; position?: AnchoredPosition | null }
  | { type: 'delete'; id: ID; recursive?: boolean | null }
  | { type: 'restore'; id: ID; listId?: ID | null; position?: AnchoredPosition | null });
export interface SyncBatch { clientId: ID; commands: SyncCommand[] }
export interface ChangeOutcome { sequence: number; revision: Revision | null; undo: string | null }
export type SyncOutcome =
  | ChangeOutcome & { outcome: 'done' }
  | ChangeOutcome & { outcome: 'merged'; kept: string[]; position: AnchoredPosition | null }
  | ChangeOutcome & { outcome: 'overwrote'; kept: string[]; overwritten: Record<string, unknown> }
  | { sequence: number; outcome: 'refused'; problem: Problem }
  | { sequence: number; outcome: 'repeated' };
export interface SyncAnswer { clientId: ID; revision: Revision; outcomes: SyncOutcome[]; problem: Problem | null }

export interface PathStep { id: ID; title: string; type: 'list' | 'item' }
export interface Place {
  id: ID;
  type: 'list' | 'item';
  listId: ID | null;
  index: number | null;
  level: number;
  path: PathStep[];
}

export interface Photo {
  id: ID;
  type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/heic' | 'image/gif';
  size: number;
  width: number | null;
  height: number | null;
  orientation: number | null;
  index: number;
  createdAt: Time;
}

export interface Token {
  id: ID;
  name: string;
  role: 'reader' | 'editor' | 'owner' | 'admin';
  inventoryId: ID | null;
  listId: ID | null;
  createdAt: Time;
  expiresAt: Time | null;
  lastUsedAt: Time | null;
}

/** An invitation without its code. */
export interface OpenInvitation {
  id: ID;
  acceptBy: Time;
  name: string | null;
  role: Token['role'];
  inventoryId: ID | null;
  listId: ID | null;
  expiresAt: Time | null;
}
export interface Invitation extends OpenInvitation {
  code: string;
  link: string;
  qrCode: string;
}

export interface FieldError { pointer?: string; parameter?: string; detail: string }
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  errors?: FieldError[];
  /** Members of this kind of problem, such as `delta` or `current`. */
  [member: string]: any;
}

/** The options of every call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Milliseconds for each attempt. */
  timeout?: number;
}
/** The options of a write. */
export interface WriteOptions extends CallOptions {
  /** The revision, or the entity tag, that the written list or item must have. */
  ifMatch?: Revision | string;
  /** A key of your own; if left out, the client makes one. */
  idempotencyKey?: string;
}
export interface PageOptions extends CallOptions { limit?: number; offset?: number }
export interface ViewOptions { sort?: string; type?: 'list' | 'item'; q?: string; sections?: string }
/** A body that can be sent. A `ReadableStream` is sent once. */
export type Data = string | Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>;

export interface ClientOptions {
  token?: string | null;
  inventory?: ID | null;
  language?: string | null;
  fetch?: (url: string, init: any) => Promise<Response>;
  timeout?: number;
  retries?: { attempts?: number; firstDelay?: number; longestDelay?: number };
}

export interface RequestOptions extends CallOptions {
  json?: unknown;
  body?: Data;
  contentType?: string;
  headers?: Record<string, string>;
  answer?: 'json' | 'blob' | 'stream';
  ifMatch?: Revision | string;
  idempotencyKey?: string | null;
}

export type RowhouseEvent =
  | { type: 'position'; revision: Revision }
  | {
    type: 'change';
    fromRevision: Revision;
    revision: Revision;
    requestId: string | null;
    deltas: Delta[];
    lists: ID[];
    items: ID[];
  }
  | { type: 'resync'; revision: Revision }
  | { type: 'gone'; listId?: ID | null; revision?: Revision; trashId?: ID | null };

export class RowhouseError extends Error {
  constructor(message: string, options: {
    code: string; status?: number; problem?: Problem | null; retryAfter?: number | null; cause?: unknown;
  });
  readonly code: string;
  readonly status: number;
  readonly problem: Problem | null;
  readonly detail: string | null;
  readonly errors: FieldError[];
  readonly retryAfter: number | null;
  get isTemporary(): boolean;
  get isMissing(): boolean;
}

/**
 * A number that JavaScript would round, such as 9007199254740993 in a custom field. It is a `Number` object with the
 * rounded value. `String()` gives its exact text, which the client also sends. To set such a number, make one from a text.
 */
export class ExactNumber extends Number {
  constructor(text: string);
  readonly text: string;
  toString(): string;
}

export class Rowhouse {
  constructor(url?: string | URL, options?: ClientOptions);
  readonly url: string;
  with(options: ClientOptions): Rowhouse;

  about(options?: CallOptions): Promise<any>;
  me(options?: CallOptions): Promise<
    { role: Token['role']; inventoryId: ID; rootListId: ID; listId: ID | null; name: string | null; tokenId: ID | null;
      canProtect: boolean }>;
  tokens(options?: CallOptions): Promise<{ count: number; tokens: Token[] }>;
  createToken(draft: { name: string; role: Token['role']; listId?: ID | null; expiresAt?: Time | null },
    options?: CallOptions): Promise<Token & { token: string }>;
  renameToken(token: ID, name: string, options?: CallOptions): Promise<Token>;
  invite(draft: { role: Token['role']; listId?: ID | null; name?: string | null; expiresAt?: Time | null },
    options?: CallOptions): Promise<Invitation>;
  invitations(options?: CallOptions): Promise<{ count: number; invitations: OpenInvitation[] }>;
  withdrawInvitation(invitation: ID, options?: CallOptions): Promise<void>;
  previewInvitation(code: string, options?: CallOptions): Promise<OpenInvitation & { title: string }>;
  acceptInvitation(code: string, deviceName?: string, options?: CallOptions): Promise<Token & { token: string }>;
  revokeToken(token: ID, options?: CallOptions): Promise<void>;
  inventories(options?: CallOptions): Promise<any>;
  inventory(inventory: ID, options?: CallOptions): Promise<any>;
  createInventory(draft: { id?: ID; title: string; depthLimit?: number | null }, options?: CallOptions): Promise<any>;
  editInventory(inventory: ID, patch: { depthLimit: number | null }, options?: WriteOptions): Promise<any>;

  lists(options?: PageOptions & { parentId?: ID; after?: ID; subtree?: boolean }): Promise<
    { count: number; lists: (List & { level?: number })[] }>;
  list(list?: ID, options?: CallOptions & { subtree?: boolean }): Promise<List>;
  createList(draft: ListDraft, options?: WriteOptions & { strict?: boolean }): Promise<Written<List>>;
  editList(list: ID, patch: ListPatch, options?: WriteOptions): Promise<Written<List>>;
  listPath(list: ID, options?: CallOptions): Promise<{ count: number; path: PathStep[] }>;
  resolve(path: string, options?: CallOptions): Promise<
    { id: ID; title: string; type: 'list'; list: List } | { id: ID; title: string; type: 'item'; item: Item }>;

  rows(list?: ID, options?: PageOptions & ViewOptions & { after?: ID; sentinel?: boolean; revision?: Revision | null }):
    Promise<RowPage>;
  eachRow(list?: ID, options?: CallOptions & ViewOptions & { limit?: number }): AsyncGenerator<ListRow | ItemRow, void>;
  place(row: ID, options?: CallOptions): Promise<Place>;
  moveRow(list: ID, move: { from: number; to: number; id?: ID }, options?: WriteOptions & { strict?: boolean }):
    Promise<Receipt>;
  moveTarget(list: ID, move: { from: number; to: number }, options?: CallOptions & { strict?: boolean }): Promise<
    { from: number; proposed: number; to: number }>;
  move(row: ID, to: { listId?: ID; position?: Position }, options?: WriteOptions & { strict?: boolean }):
    Promise<Receipt>;
  moveRows(list: ID, rows: { ids: ID[]; position?: Position }, options?: WriteOptions & { strict?: boolean }):
    Promise<Receipt>;
  reorder(list: ID, order: { ids: ID[] } | { sort: string }, options?: WriteOptions): Promise<Receipt>;
  batch(list: ID, batch: Batch, options?: WriteOptions & { recursive?: boolean }): Promise<BatchAnswer>;
  deleteRow(row: ID, options?: WriteOptions & { recursive?: boolean }): Promise<Receipt>;
  deleteRowAt(list: ID, index: number, options: WriteOptions & { id?: ID; recursive?: boolean }): Promise<Receipt>;
  changes(list: ID, since: Revision, options?: CallOptions): Promise<
    { listId: ID; revision: Revision; deltas: Delta[] }>;

  sync(batch: SyncBatch, options?: CallOptions): Promise<SyncAnswer>;

  item(item: ID, options?: CallOptions): Promise<Item>;
  findItems(options: PageOptions & { serialNumber?: string; tag?: string; [field: `field.${string}`]: string }): Promise<
    { count: number; items: Item[] }>;
  createItem(list: ID, draft: ItemDraft, options?: WriteOptions & { strict?: boolean }): Promise<Written<Item>>;
  editItem(item: ID, patch: ItemPatch, options?: WriteOptions): Promise<Written<Item>>;
  replaceItem(item: ItemReplacement, options?: WriteOptions): Promise<Written<Item>>;
  makeContents(item: ID, options?: WriteOptions): Promise<Written<List>>;
  neighbours(item: ID, options?: CallOptions & { direction?: Direction }): Promise<any>;

  photos(item: ID, options?: CallOptions): Promise<{ count: number; photos: Photo[] }>;
  itemLabel(item: ID, options?: CallOptions): Promise<Blob>;
  listLabel(list: ID, options?: CallOptions): Promise<Blob>;
  addPhoto(item: ID, photo: Exclude<Data, string | ReadableStream>, options?: WriteOptions & { id?: ID }): Promise<
    Photo & { receipt: Receipt }>;
  addRendition(item: ID, photo: ID, size: 96 | 208 | 1280, rendition: Exclude<Data, string | ReadableStream>,
    options?: WriteOptions): Promise<void>;
  photo(item: ID, photo: ID, options?: CallOptions & { size?: number }): Promise<Blob>;
  reorderPhotos(item: ID, ids: ID[], options?: WriteOptions): Promise<Receipt>;
  deletePhoto(item: ID, photo: ID, options?: WriteOptions): Promise<Receipt>;

  search(q: string, options?: PageOptions & { listId?: ID; kind?: Item['kind']; tag?: string }): Promise<any>;
  tags(options?: PageOptions & { prefix?: string }): Promise<{ count: number; tags: { tag: string; count: number }[] }>;

  log(options?: PageOptions & { since?: Revision; before?: Revision }): Promise<any>;
  undo(revision: Revision, options?: WriteOptions): Promise<Receipt>;
  trash(options?: PageOptions & { after?: ID }): Promise<any>;
  restore(row: ID, to?: { listId?: ID; position?: Position }, options?: WriteOptions & { strict?: boolean }):
    Promise<Receipt>;
  purge(row: ID, options?: WriteOptions): Promise<void>;

  export(options?: CallOptions & { listId?: ID }): Promise<ReadableStream<Uint8Array>>;
  import(data: Data, options?: WriteOptions & { mode?: 'merge' | 'replace'; listId?: ID; dryRun?: boolean }):
    Promise<any>;
  exportTable(list: ID, options?: CallOptions & { subtree?: boolean }): Promise<ReadableStream<Uint8Array>>;
  importTable(list: ID, data: Data, options?: WriteOptions & {
    dryRun?: boolean; columns?: Record<string, string>; unknownColumns?: 'refuse' | 'fields'; locations?: 'fields' | 'rooms';
  }): Promise<any>;

  events(options?: { list?: ID; since?: Revision; signal?: AbortSignal; lost?: () => void }): AsyncGenerator<RowhouseEvent, void>;
  request(method: string, path: string, options?: RequestOptions): Promise<any>;
}

interface UpdateBase { rows: Row[]; list: List; revision: Revision }
export type ListUpdate = UpdateBase & (
  | { type: 'all' }
  | {
    type: 'batch';
    deletes: number[];
    inserts: number[];
    moves: { from: number; to: number }[];
    reloads: number[];
    reconfigures: number[];
  }
  | { type: 'gone' }
  | { type: 'failed'; error: Error }
);

export class ListMirror {
  constructor(rowhouse: Rowhouse | OfflineStore, list?: ID);
  readonly id: ID;
  readonly list: List | null;
  get rows(): Row[];
  get revision(): Revision | null;
  subscribe(listener: (update: ListUpdate) => void): () => void;
  start(): Promise<void>;
  stop(): void;
  absorb(receipt: Receipt): Promise<void>;
}

export function readList(rowhouse: Rowhouse, id: ID, signal?: AbortSignal): Promise<
  { list: List; rows: Map<number, Row>; sentinel: SentinelRow | null }>;

export class EventParser {
  constructor(lastID?: string | null);
  lastID: string | null;
  retry: number | null;
  restart(): void;
  feed(text: string): { name: string; data: string; id: string | null }[];
}

export function applyDelta<Content>(
  delta: Pick<RowDelta, 'deletes' | 'moves'> & Record<'inserts' | 'reloadsAfter', { index: number; row: Content }[]>,
  rows: Map<number, Content>): Map<number, Content>;
export function deltaFits(delta: RowDelta, count: number): boolean;
/** Parses JSON like `JSON.parse`. Numbers that JavaScript would round become `ExactNumber`. */
export function parseJSON(text: string): any;
/** Writes JSON like `JSON.stringify`, and an `ExactNumber` as its text. */
export function writeJSON(value: unknown): string;
export function withQuery(path: string, query: Record<string, unknown>): string;
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void>;
export function newID(): string;
export interface Retries { firstDelay: number; longestDelay: number }
export const usualRetries: Retries & { attempts: number };
export function backoff(failures: number, retries: Retries): number;
