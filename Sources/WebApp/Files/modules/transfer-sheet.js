import { address, api, Problem } from './api.js';
import { matchColumns } from './columns-sheet.js';
import { element, saveFile } from './dom.js';
import { kept } from './kept.js';
import { attempt, take } from './notices.js';
import { ask, choices, plainBar, Sheet } from './sheet.js';
import { number, text } from './texts.js';

/** Downloads a path as a file. */
const save = async (path, name, mark = '') => saveFile(new Blob([mark, await api.blob(path)]), name);

/** Spreadsheet programs recognize UTF-8 by this byte order mark. */
const byteOrderMark = '\ufeff';

/** The endings of the names of exports, and of tables. */
const endings = ['ndjson', 'jsonl', 'csv'];

/** Opens the sheet to export everything or a list as a table, and to import files. */
export function showTransfer(listId) {
  const faults = element('ul', { class: 'card entries', role: 'list', hidden: true });
  const input = element('input', {
    type: 'file', class: 'unseen', accept: endings.map((ending) => `.${ending}`).join(), 'aria-label': text('importFile'),
    onchange: () => attempt(() => read(input.files[0])),
  });
  const entry = (key, act) => ({ title: text(key), act, stays: true });
  const sheet = new Sheet(plainBar(text('transfer')), [
    ...choices([[
      entry('exportAll', () => attempt(() => save('/v1/export', 'inventory.ndjson'))),
      entry('exportTable', () => attempt(() => save(`/v1/lists/${listId}/rows.csv?subtree=true`, `${kept?.list(listId)?.title ?? 'rows'}.csv`, byteOrderMark))),
    ]], () => sheet),
    element('label', { class: 'card file-choice' }, input, element('span', {}, text('importFile'))),
    element('p', { class: 'ask-detail' }, text('transferHint')),
    faults,
  ]);

  /** Reads a file: does a dry run, asks what unknown columns are, and whether to go on, then imports it. */
  async function read(file) {
    if (!file) return;
    // An export may have lost its ending.
    const ending = /\.([^.]+)$/.exec(file.name)?.[1].toLowerCase();
    if (ending && !endings.includes(ending)) return show({ members: { title: text('importTypes') } });
    const isTable = ending === 'csv';
    const [path, query] = isTable ? [`/v1/lists/${listId}/rows.csv`, { unknownColumns: 'fields' }] : ['/v1/import', {}];
    const type = isTable ? 'text/csv' : 'application/x-ndjson';
    faults.hidden = true;
    const tryOut = () => api.upload(address(path, { ...query, dryRun: true }), file, { type, isMinor: true });
    try {
      let problem = null;
      let would = await tryOut().catch((error) => {
        if (!error.members?.fields?.length) throw error;
        problem = error;
      });
      const { fields = [], lines = [] } = would ?? problem.members;
      if (fields.length) {
        // Each line of a table without names says the same.
        const lacksName = lines.length > 1 && lines.every(({ column, detail }) => column === 'name' && detail === lines[0].detail);
        const columns = await matchColumns([...new Set(fields)], !lacksName);
        if (!columns) return;
        query.columns = JSON.stringify(columns);
        would = await tryOut();
      }
      const counts = ['created', 'updated', 'unchanged'].filter((key) => key in would)
        .map((key) => text(key, { count: number(would[key]) }));
      const isSure = await ask(text('importAsk', { name: file.name }), {
        detail: [counts.join(' · '), otherColumns(would), encoding(would)].filter((line) => line).join('. '), answer: { title: text('importNow'), cancel: text('cancel') } });
      if (!isSure) return;
      const { receipt } = await api.upload(address(path, query), file, { type, canRepeat: !isTable });
      sheet.close();
      await take(receipt, text('imported', { name: file.name }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      show(error);
    } finally {
      input.value = '';
    }
  }

  /** Names the fields that the columns of a table become which have no known name. */
  function otherColumns({ fields = [] }) {
    return fields.length ? text('importFields', { names: fields.join(', ') }) : null;
  }

  /** Names the encoding of a table that is not in UTF-8, which is a guess. */
  function encoding({ charset }) {
    return charset && !charset.startsWith('utf-') ? text('encodingGuessed', { name: charset }) : null;
  }

  function show({ members }) {
    const lines = members.lines ?? members.conflicts ?? [];
    faults.hidden = false;
    faults.replaceChildren(element('li', {}, members.title), ...lines.map((fault) => element('li', {},
      element('div', { class: 'row-texts' },
        element('span', { class: 'row-title' }, text('line', { number: number(fault.line) }),
          fault.column ? [' · ', element('bdi', {}, fault.column)] : null),
        element('bdi', { class: 'row-detail' }, fault.detail)))));
  }
}
