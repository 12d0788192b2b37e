import { AccentPicker } from './accents.js';
import { api } from './api.js';
import { applyAppearance, chooseTheme, shownAppearance, themes } from './appearance.js';
import { caller } from './caller.js';
import { element } from './dom.js';
import { emptyState } from './empty-state.js';
import { Form } from './form.js';
import { reload } from './history.js';
import { isOffline } from './kept.js';
import { attempt, notify, tell } from './notices.js';
import { showPeople } from './people-sheet.js';
import { place } from './place.js';
import { keepTyped } from './row-acts.js';
import { segments } from './segments.js';
import { session } from './session.js';
import { mayShare } from './share-sheet.js';
import { choices, openFilled, plainBar, Sheet } from './sheet.js';
import { enterTab } from './tab-bar.js';
import { languages, moment, text } from './texts.js';

/** The currencies that the browser knows, by their names, as options of a choice. `own` is among them in any case. */
function currencies(own) {
  const { lang } = document.documentElement;
  const names = new Intl.DisplayNames(lang, { type: 'currency' });
  const codes = new Set([...Intl.supportedValuesOf?.('currency') ?? ['USD', 'EUR', 'GBP', 'JPY', 'CNY', 'INR', 'SAR', 'AED', 'EGP'], own]);
  return [...codes].map((code) => [code, `${names.of(code)} (${code})`]).sort(([, left], [, right]) => left.localeCompare(right, lang));
}

const tints = ['navigationBar', 'title', 'button', 'toolbar', 'tabBar'];

/** The inventory's tints and currency as this page shows them. Null without a connection, and for callers that may not change them. */
const ownAppearance = () => (!mayShare() || caller().listId || isOffline() ? null : { ...shownAppearance() });

/**
 * Shows the settings: the language, the theme and the keys of this browser, the name of this device, and the currency and
 * the colours for all.
 */
export function showSettings() {
  const appearance = ownAppearance();
  const { theme } = session;
  let sheet = null;
  const choose = async (tag) => {
    if (!(await sheet.mayDiscard())) return;
    chooseTheme(theme);
    session.language = tag;
    keepTyped();
    reload();
  };
  const speaking = [
    { title: text('ownLanguage'), act: () => choose(null), isChosen: !session.language, stays: true },
    ...languages().map(({ language, name }) =>
      ({ title: name, act: () => choose(language), isChosen: session.language === language, stays: true })),
  ];
  const name = new Form([
    [{ pointer: '/name', label: text('deviceName'), value: place.now?.name }],
    [text('keys'), {
      pointer: '/singleKeys', label: text('singleKeys'), kind: 'flag', value: session.singleKeys, hint: text('singleKeysHint'),
    }],
  ], () => sheet.act('save'));
  const money = new Form([[{
    pointer: '/currency', label: text('currency'), kind: 'choice', value: appearance?.currency ?? 'USD',
    options: currencies(appearance?.currency ?? 'USD'), hint: text('currencyHint'),
  }]], () => sheet.act('save'));
  const inputs = new Map(tints.map((tint) =>
    [tint, element('input', { type: 'color', 'aria-label': text(tint), oninput: () => accents.mark(chosenTints()) })]));
  const accents = new AccentPicker(show);
  const colours = element('div', { class: 'card fields' }, ...tints.map((tint) =>
    element('label', { class: 'field is-colour' }, element('span', {}, text(tint)), inputs.get(tint))));
  sheet = new Sheet(
    plainBar(text('settings'), { action: 'save', title: text('save'), image: 'check', enabled: true }),
    [...choices([[mayShare() ? { title: text('people'), act: showPeople } : null]], () => sheet),
      element('h3', {}, text('theme')), segments('theme', text('theme'), themes, session.theme, chooseTheme),
      element('h3', {}, text('language')), ...choices([speaking], () => sheet), name.element,
      ...(appearance ? [money.element, element('h3', {}, text('accent')), accents.element, element('h3', {}, text('colours')), colours] : [])],
    { save: () => save() });
  const chosen = (tint) => inputs.get(tint).value.toUpperCase();
  const chosenTints = () => Object.fromEntries(tints.map((tint) => [tint, chosen(tint)]));
  const isTinted = () => appearance !== null
    && (money.isChanged || tints.some((tint) => chosen(tint) !== appearance[tint]));
  if (appearance) show(appearance);
  sheet.hasUnsaved = () => name.isChanged || isTinted() || session.theme !== theme;
  if (appearance) renew();
  let isSaved = false;
  // The page shows a theme as soon as it is chosen.
  sheet.whenClosed.then(() => isSaved || chooseTheme(theme));

  function show(shown) {
    for (const [tint, input] of inputs) input.value = shown[tint].toLowerCase();
    accents.mark(shown);
  }

  /** Takes over what others have changed, if nothing was chosen yet. */
  async function renew() {
    const fresh = await api.get('/v1/appearance', { isQuiet: true }).catch(() => null);
    if (!fresh || !sheet.element.open || isTinted()) return;
    applyAppearance(fresh);
    show(fresh);
    Object.assign(appearance, fresh);
    const field = money.field('/currency');
    field.value = fresh.currency ?? 'USD';
    field.original = field.value;
  }

  function colour(changed) {
    applyAppearance(changed);
    show(changed);
    Object.assign(appearance, changed);
    if (changed.warnings.length) notify(text('hardToRead'));
  }

  /** Saves the tints and the currency that were changed here, and keeps the others' current values. */
  async function tinted() {
    const changes = tints.filter((tint) => chosen(tint) !== appearance[tint]).map((tint) => [tint, chosen(tint)]);
    if (money.isChanged) changes.push(['currency', money.field('/currency').value]);
    for (;;) {
      const { value, tag } = await api.tagged('/v1/appearance');
      try {
        return await api.put('/v1/appearance', { ...value, ...Object.fromEntries(changes) }, { fields: { 'If-Match': tag } });
      } catch (error) {
        if (error.status !== 412) throw error;
      }
    }
  }

  async function save() {
    try {
      if (isTinted()) colour(await tinted());
      if (name.field('/name').isChanged) await place.rename(name.field('/name').value);
      session.singleKeys = name.field('/singleKeys').value;
      isSaved = true;
      sheet.close();
      // All that is drawn has the old currency.
      if (money.isChanged) {
        keepTyped();
        reload();
      }
    } catch (error) {
      if (!name.show(error)) tell(error);
    }
  }
}

/** The places of other devices, the last used ones first: `{id, name, time}`. */
async function otherPlaces(options) {
  const { navigators } = await api.get('/v1/navigators', options);
  return navigators.filter((other) => other.id !== place.now?.id)
    .sort((left, right) => right.lastUsedAt.localeCompare(left.lastUsedAt))
    .map(({ id, name, createdAt, lastUsedAt }) =>
      ({ id, name: name ?? moment(createdAt), time: text('lastUsed', { time: moment(lastUsedAt) }) }));
}

/** Shows the places of other devices, to continue there. */
export const showPlaces = () => openFilled(plainBar(text('places')), otherPlaces, (sheet, found) => {
  const others = found.map(({ id, name, time }) => ({ title: name, value: time, act: () => attempt(() => takeOver(id)) }));
  sheet.body.append(...(others.length ? choices([others], () => sheet)
    : [emptyState({ image: 'fit', title: text('placesNone'), detail: text('placesHint') })]));
});

/** Offers to continue at the place that another device used last. */
export async function offerPlace() {
  const [last] = await otherPlaces({ isQuiet: true });
  if (!last) return;
  notify(text('placeOffer', { name: last.name }), {
    detail: last.time, action: { title: text('placeContinue'), act: () => attempt(() => takeOver(last.id)) } });
}

/** Goes on at another device's place. */
async function takeOver(id) {
  await place.takeOver(id);
  await enterTab(place.tab);
}
