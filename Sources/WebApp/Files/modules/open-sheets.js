/** The open sheets, the topmost last. The first screen asks about them before their code is loaded. */
const open = [];

export const openSheets = {
  add: (sheet) => open.push(sheet),
  remove: (sheet) => open.splice(open.indexOf(sheet), 1),

  /** The topmost sheet. */
  get top() {
    // A closed dialog gets its event a moment later.
    return open.findLast((sheet) => sheet.element.open);
  },

  /** Whether any sheet has unsaved input. */
  get hasUnsaved() {
    return open.some((sheet) => sheet.hasUnsaved());
  },

  /** What was typed into the topmost sheet that can be opened again by a later page. Null if there is none. */
  get draft() {
    const unsaved = open.filter((sheet) => sheet.element.isConnected && sheet.hasUnsaved());
    return unsaved.map((sheet) => sheet.draft()).findLast((draft) => draft) ?? null;
  },

  /** Resolves when no sheet with unsaved input is open. */
  async allSaved() {
    for (let sheet; (sheet = open.find((each) => each.hasUnsaved()));) await sheet.whenClosed;
  },

  /** Closes all sheets without a question. */
  closeAll() {
    for (const sheet of [...open].reverse()) sheet.close();
  },
};
