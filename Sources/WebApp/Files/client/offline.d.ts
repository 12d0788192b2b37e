/** Lists that work without a network. `offline.js` describes each call. */

import type {
  AnchoredPosition, ID, Item, ItemDraft, ItemPatch, List, ListDraft, ListPatch, ListUpdate, Problem, Receipt, Retries,
  Revision, Row, Rowhouse, SyncCommand, Time,
} from './rowhouse.js';

type WithoutSequence<Command> = Command extends unknown ? Omit<Command, 'sequence'> : never;
export type Command = WithoutSequence<SyncCommand> | { type: 'addPhoto'; id: ID; itemId: ID };

export interface Entry {
  id: string;
  state: 'waiting' | 'sent' | 'done';
  command: Command;
  /** The title of the row that the command is about. */
  title: string | null;
  time: Time;
}

export interface Notice extends Omit<Entry, 'state'> {
  outcome: 'refused' | 'merged' | 'overwrote' | 'repeated';
  problem: Problem | null;
  changed: Revision | null;
  kept?: string[];
  overwritten?: Record<string, unknown>;
  position?: AnchoredPosition | null;
}

export interface Status {
  connection: 'connecting' | 'online' | 'offline' | 'stopped';
  error: Error | null;
  waiting: Entry[];
  photos: number;
}

/** Where a store keeps its records. `MemoryStorage` describes the calls. */
export interface Storage {
  read(keys?: string[]): Promise<Map<string, any>>;
  write(changes: Map<string, any>, needed?: string[]): Promise<boolean>;
  erase(): Promise<void>;
  close(): void;
  lead?(signal: AbortSignal): Promise<void>;
  watch?(listener: (keys: string[] | null) => void): void;
}

export class MemoryStorage implements Storage {
  constructor();
  read(keys?: string[]): Promise<Map<string, any>>;
  write(changes: Map<string, any>, needed?: string[]): Promise<boolean>;
  erase(): Promise<void>;
  close(): void;
}

export class DatabaseStorage implements Storage {
  private constructor();
  static open(name: string): Promise<DatabaseStorage>;
  read(keys?: string[]): Promise<Map<string, any>>;
  write(changes: Map<string, any>, needed?: string[]): Promise<boolean>;
  erase(): Promise<void>;
  watch(listener: (keys: string[] | null) => void): void;
  lead(signal: AbortSignal): Promise<void>;
  close(): void;
}

export class OfflineStore {
  private constructor();
  static open(rowhouse: Rowhouse, options?: { name?: string; storage?: Storage; retries?: Partial<Retries> }):
    Promise<OfflineStore>;

  get revision(): Revision | null;
  list(list?: ID): List | undefined;
  rows(list?: ID): Row[] | undefined;
  subtree(list?: ID): { listCount: number; itemCount: number; totalValueInDollars: number } | undefined;
  item(item: ID): Item | undefined;
  row(id: ID): Row | undefined;
  home(row: ID): ID | null;
  photo(id: ID): Promise<Blob | undefined>;
  get status(): Status;
  get refused(): Notice[];
  get notices(): Notice[];
  dismiss(notice: Pick<Notice, 'id'>): Promise<unknown>;
  subscribe(listener: (update: { lists: Map<ID, ListUpdate>; status: Status }) => void): () => void;

  keep(list?: ID): Promise<List>;
  keepItem(item: ID): Promise<Item>;
  keepAll(options?: { limit?: number }): Promise<void>;
  reached(revision: Revision): Promise<void>;
  sent(): Promise<void>;

  createItem(list: ID, draft: Omit<ItemDraft, 'position'>, options?: { at?: number }): Promise<Entry>;
  createList(list: ID, draft: Omit<ListDraft, 'position' | 'parentId'>, options?: { at?: number }): Promise<Entry>;
  /** `seen`: the item as the person saw it when they began to edit. */
  editItem(id: ID, patch: ItemPatch, options?: { seen?: Partial<Item> }): Promise<Entry>;
  editList(list: ID, patch: ListPatch, options?: { seen?: ListPatch }): Promise<Entry>;
  move(rows: ID | ID[], list: ID, at: number): Promise<Entry>;
  delete(id: ID, options?: { recursive?: boolean }): Promise<Entry>;
  restore(id: ID, options?: { list?: ID; at?: number; row?: Row }): Promise<Entry>;
  addPhoto(itemId: ID, photo: Blob): Promise<Entry>;
  undo(entry: Pick<Entry, 'id'>): Promise<Entry[] | Receipt>;
  adopt(other: { name?: string; storage?: Storage }): Promise<number>;

  start(): void;
  stop(): Promise<void>;
  close(): Promise<void>;
  readonly retryNow: () => void;
  signOut(): Promise<void>;
}
