/** A source of a `RowList` without its last row, the sentinel, because new rows are typed above it. */
export class OpenEnd {
  #source;

  constructor(source) {
    this.#source = source;
  }

  get id() {
    return this.#source.id;
  }

  get count() {
    return this.#source.count;
  }

  get length() {
    const { length } = this.#source;
    return length - (length > 0 && this.#source.row(length - 1)?.id === null ? 1 : 0);
  }

  row(index) {
    return index < this.length ? this.#source.row(index) : undefined;
  }

  indexOf(id) {
    return this.#source.indexOf(id);
  }

  ensure(first, last) {
    return this.#source.ensure(first, last);
  }

  addEventListener(...listener) {
    this.#source.addEventListener(...listener);
  }

  removeEventListener(...listener) {
    this.#source.removeEventListener(...listener);
  }
}
