import { element, topmost } from './dom.js';
import { icon } from './icons.js';
import { attempt } from './notices.js';
import { addPhotos } from './photos.js';
import { text } from './texts.js';
import { way } from './way.js';

/** A field for photos with a name. With `isCamera` phones open the camera at once. `add` gets the files. */
function photoInput(name, add, isCamera = false) {
  const input = element('input', {
    type: 'file', accept: 'image/*', multiple: !isCamera, capture: isCamera ? 'environment' : null, class: 'unseen',
    'aria-label': name,
    onchange: () => {
      add([...input.files]);
      // The same file may be chosen once more.
      input.value = '';
    },
  });
  return input;
}

/** The buttons to choose photos from files, and to take one where fingers are the pointers. `add` gets the files. */
export function photoButtons(add) {
  const button = (key, image) => element('label', { class: 'photo-adder' },
    photoInput(text(key), add, image === 'camera'), icon(image), element('span', {}, text(key)));
  const hasCamera = matchMedia('(pointer: coarse)').matches;
  return [button('addPhoto', 'plus'), ...(hasCamera ? [button('takePhoto', 'camera')] : [])];
}

/** Adds photos to an item, and shows how many are done: of one only that it is under way. */
export async function sendPhotos(itemID, files) {
  const progress = element('progress', {
    class: 'photo-progress', 'aria-label': text('addPhoto'), max: files.length, value: files.length > 1 ? 0 : null });
  document.body.append(progress);
  try {
    await addPhotos(itemID, files, (done) => (progress.value = done));
  } finally {
    progress.remove();
  }
}

/** The ways to add photos to the item of a screen: files, the camera, a drop and a paste. */
export class PhotoAdder {
  #screen;
  #added;

  /**
   * @param screen has `screen.itemId`, `element` and `canAddPhotos`.
   * @param added is called when photos were added, or some were not.
   */
  constructor(screen, added) {
    [this.#screen, this.#added] = [screen, added];
    const { element: home } = screen;
    const isOver = (event) => screen.canAddPhotos && event.dataTransfer?.types.includes('Files');
    home.addEventListener('dragover', (event) => {
      if (!isOver(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      home.classList.add('is-target');
    });
    home.addEventListener('dragleave', (event) => home.contains(event.relatedTarget) || home.classList.remove('is-target'));
    home.addEventListener('drop', (event) => {
      home.classList.remove('is-target');
      if (!isOver(event)) return;
      event.preventDefault();
      this.#add([...event.dataTransfer.files]);
    });
    document.addEventListener('paste', this.#paste);
  }

  close() {
    document.removeEventListener('paste', this.#paste);
  }

  #paste = (event) => {
    const files = [...event.clipboardData?.files ?? []];
    if (!files.length || !this.#screen.canAddPhotos || !way.isAt(this.#screen.screen) || topmost() !== document.body) return;
    event.preventDefault();
    this.#add(files);
  };

  /** A field for files with a name. */
  input(name) {
    return photoInput(name, (files) => this.#add(files));
  }

  /** As `photoButtons`. */
  get buttons() {
    return photoButtons((files) => this.#add(files));
  }

  #add(files) {
    return attempt(() => sendPhotos(this.#screen.screen.itemId, files).finally(() => this.#added()));
  }
}
