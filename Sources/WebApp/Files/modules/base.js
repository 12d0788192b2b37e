/** The path prefix of the server that served this file, such as `/rowhouse`; empty for none. */
export const base = new URL('..', import.meta.url).pathname.slice(0, -1);
