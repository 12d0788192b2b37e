const codeAt = (hash) => /^#invite=(rh_[0-9a-f]+)$/i.exec(hash)?.[1] ?? null;

/** The code of an invitation in a link that was pasted. Null for another text. */
export const invitationIn = (typed) => (URL.canParse(typed) ? codeAt(new URL(typed).hash) : null);

/** The code of the invitation at the page's address. The address then no longer has it. Null for none. */
export function takeInvitation() {
  const code = codeAt(location.hash);
  if (code) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

// A link that is opened in a tab with this page changes only the part after #.
addEventListener('hashchange', () => codeAt(location.hash) && location.reload());
