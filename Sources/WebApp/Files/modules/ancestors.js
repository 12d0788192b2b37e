/**
 * The titles above a place, the nearest first, so that a text that is cut off still shows where it is.
 *
 * @param titles from the first list to the nearest one.
 */
export const ancestors = (titles) => [...titles].reverse().join(' ‹ ');
