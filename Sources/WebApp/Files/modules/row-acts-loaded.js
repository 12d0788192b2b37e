import { Drag } from './drag.js';
import { Drops } from './drops.js';
import { Many } from './many.js';
import { closeNewRows, hasUnsavedRows, NewRow, takeNewRows } from './new-row.js';
import { RowGestures } from './row-gestures.js';

/** What acts on the rows of lists. It is loaded after the first rows are shown; see row-acts.js. */
export const loadedRowActs = { closeNewRows, Drag, Drops, hasUnsavedRows, Many, NewRow, RowGestures, takeNewRows };
