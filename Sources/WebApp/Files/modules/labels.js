import { address, base } from './api.js';

/**
 * Opens the page that prints labels, in a new tab of the browser.
 *
 * @param rows `{ids: 'ID,ID'}`, or `{list: ID}` for all rows of a list.
 */
export const printLabels = (rows) => void open(address(`${base}/labels`, rows), '_blank');
