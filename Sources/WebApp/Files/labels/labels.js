import { address, api, base, isLocal, listeners, Problem } from '../modules/api.js';
import { element, isRightToLeft } from '../modules/dom.js';
import { followSignOut } from '../modules/follow-sign-out.js';
import { loadTexts, number, text } from '../modules/texts.js';

/**
 * The page that prints labels: a QR code, a name and a place for each row. `?ids=ID,ID` names the rows. `?list=ID` stands
 * for the first rows of a list, and with `&below=true` also for those of the lists below it. `paper` and `used` are the
 * choices at the top of the page.
 */

/** The papers: the key of their text, their size as print dialogs name it, and the labels of a sheet. A roll has no sheets. */
const papers = {
  sheet: { key: 'labelsSheet', size: 'A4 (210 × 297 mm)', count: 24 },
  letter: { key: 'labelsLetter', size: 'US Letter (8.5 × 11 in)', count: 30 },
  roll: { key: 'labelsRoll', size: '62 × 29 mm' },
};
/** Where people use Letter. */
const hasLetter = /-(US|CA|MX|PH)$/.test(navigator.language);
/** The most rows that a page prints. */
const mostLabels = 1000;
/** Requests under way at the same time. */
const requestsAtOnce = 6;

/** The first rows of a list with a title, as `{id, type, title, place, contents}`, and whether there are more. */
async function rowsOf(list, most, place) {
  const path = `/v1/lists/${encodeURIComponent(list)}`;
  const title = place ?? (await api.get(path)).title;
  const rows = [];
  let page;
  // A page ends at a number of bytes too.
  do {
    page = await api.get(address(`${path}/rows`, { offset: rows.length, limit: most - rows.length, sentinel: false }));
    rows.push(...page.rows.map((row) => ({
      id: row.id, type: row.type, title: row.title, place: title, contents: row.list?.id ?? row.item.contentsListId })));
  } while (page.rows.length && rows.length < Math.min(most, page.count));
  return { rows, isCut: rows.length < page.count };
}

/** The same with the rows of the lists below: those of a list follow it. */
async function rowsBelow(list, most, place) {
  const { rows, isCut } = await rowsOf(list, most, place);
  const all = [];
  for (const row of rows) {
    if (all.length === most) return { rows: all, isCut: true };
    all.push(row);
    if (!row.contents) continue;
    if (all.length === most) return { rows: all, isCut: true };
    const below = await rowsBelow(row.contents, most - all.length, row.title);
    all.push(...below.rows);
    if (below.isCut) return { rows: all, isCut: true };
  }
  return { rows: all, isCut };
}

/** The row with an id. Null if it is gone. */
async function row(id) {
  try {
    const { type, path } = await api.get(`/v1/rows/${encodeURIComponent(id)}`);
    return { id, type, title: path.at(-1).title, place: path.at(-2)?.title };
  } catch (error) {
    if ([400, 404, 410].includes(error.status)) return null;
    throw error;
  }
}

/** A row's label, with its QR code. */
async function label({ id, type, title, place }) {
  const path = `/v1/${type === 'list' ? 'lists' : 'items'}/${id}/label`;
  const code = URL.createObjectURL(await api.blob(address(path, { origin: location.origin })));
  const image = element('img', { src: code, alt: '' });
  await image.decode();
  return element('div', { class: 'label' }, image, element('div', {},
    element('p', { dir: 'auto' }, title), place ? element('p', { class: 'place', dir: 'auto' }, place) : null));
}

/** The results of `work` for all values, with a few requests at a time. */
async function each(values, work) {
  const results = [];
  const rest = [...values.entries()];
  await Promise.all(Array.from({ length: requestsAtOnce }, async () => {
    for (let next; (next = rest.shift());) results[next[0]] = await work(next[1]);
  }));
  return results;
}

const given = new URLSearchParams(location.search);
const hasAllBelow = given.get('below') === 'true';

/** The rows to print, with null for each that is gone, and whether more were asked for. */
async function found() {
  if (given.has('list')) return (hasAllBelow ? rowsBelow : rowsOf)(given.get('list'), mostLabels);
  const ids = (given.get('ids') ?? '').split(',').filter((id) => id);
  return { rows: await each(ids.slice(0, mostLabels), row), isCut: ids.length > mostLabels };
}

/** The choice whether the lists below are included. */
function belowChoice() {
  const turn = () => {
    if (hasAllBelow) given.delete('below');
    else given.set('below', 'true');
    location.search = given;
  };
  return element('label', { class: 'check' }, element('input', { type: 'checkbox', checked: hasAllBelow, onchange: turn }), text('labelsBelow'));
}

/** The labels on sheets of a paper, after those that are already used. */
function sheets(labels, name, used) {
  const { count } = papers[name];
  const cells = [...Array.from({ length: used }, () => element('div')), ...labels];
  const made = [];
  for (let start = 0; start < cells.length; start += count) {
    made.push(element('section', { class: `sheet is-${name}` }, ...cells.slice(start, start + count)));
  }
  return made;
}

function show(labels, missing, isCut, hasMore) {
  const chosen = Object.hasOwn(papers, given.get('paper') ?? '') ? given.get('paper') : hasLetter ? 'letter' : 'sheet';
  const paper = element('select', { onchange: draw }, ...Object.entries(papers).map(([name, { key }]) =>
    element('option', { value: name, selected: name === chosen }, text(key))));
  const used = element('input', { type: 'number', min: 0, value: given.get('used') ?? 0, oninput: draw });
  const dialog = element('p', { class: 'note' });
  const usedLabel = element('label', {}, text('labelsUsed'), used);
  const notes = [
    isLocal() ? text('labelsLocal') : null,
    labels.length ? null : text('labelsNone'), isCut ? text('labelsMost', { count: number(mostLabels) }) : null,
    missing ? text('labelsMissing', { count: number(missing) }) : null,
  ];
  document.querySelector('header').replaceChildren(
    element('h1', {}, text('labels')), element('label', {}, text('labelsPaper'), paper), usedLabel,
    hasMore || hasAllBelow ? belowChoice() : '',
    element('button', { type: 'button', disabled: !labels.length, onclick: () => print() }, text('print')), dialog,
    ...notes.filter((note) => note).map((note) => element('p', { class: 'note', role: 'status' }, note)));
  draw();

  function draw() {
    const { size, count } = papers[paper.value];
    dialog.textContent = text('labelsDialog', { paper: isRightToLeft() ? `\u2066${size}\u2069` : size });
    usedLabel.hidden = !count;
    if (count) used.max = count - 1;
    const first = Math.min(count - 1, Math.max(0, Math.trunc(used.valueAsNumber) || 0));
    // What is deleted to type another number stays empty.
    if (count && used.value && used.valueAsNumber !== first) used.value = first;
    if (paper.value !== chosen || given.has('paper')) given.set('paper', paper.value);
    if (first || given.has('used')) given.set('used', count ? first : 0);
    // A reload, and the choice of the lists below, keep what is chosen.
    history.replaceState(null, '', `?${given}`);
    document.querySelector('main').replaceChildren(...(count
      ? labels.length ? sheets(labels, paper.value, first) : []
      : labels.map((one) => element('section', { class: 'strip' }, one))));
  }
}

/** Leaves for the web app's first page. */
function leave() {
  document.body.replaceChildren();
  location.replace(`${base}/`);
}

followSignOut(leave);
listeners.askForToken = () => {
  leave();
  return new Promise(() => {});
};
try {
  await loadTexts();
  document.title = `${text('labels')} – Rowhouse`;
  const { rows, isCut } = await found();
  const there = rows.filter((one) => one);
  show(await each(there, label), rows.length - there.length, isCut, there.some(({ contents }) => contents));
} catch (error) {
  document.querySelector('header').replaceChildren(
    element('p', { role: 'alert' }, error instanceof Problem ? error.message : text('offline')));
  throw error;
}
