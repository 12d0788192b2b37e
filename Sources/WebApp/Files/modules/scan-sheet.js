import { screenAt } from './address.js';
import { base } from './api.js';
import { delay, element } from './dom.js';
import { attempt } from './notices.js';
import { plainBar, Sheet } from './sheet.js';
import { text } from './texts.js';
import { way } from './way.js';

/** Milliseconds between two looks at the camera's picture. */
const pause = 200;

/** Whether the browser may be able to read QR codes. */
export const canScan = 'BarcodeDetector' in globalThis;

/** Reads QR codes. Null if the browser cannot. https://developer.mozilla.org/docs/Web/API/BarcodeDetector */
async function codeReader() {
  const formats = await globalThis.BarcodeDetector?.getSupportedFormats().catch(() => []);
  return formats?.includes('qr_code') ? new globalThis.BarcodeDetector({ formats: ['qr_code'] }) : null;
}

/** The list or item at an address of this server. Null for another text. */
function screenOf(found) {
  const url = URL.canParse(found) ? new URL(found) : null;
  if (url?.origin !== location.origin || !url.pathname.startsWith(`${base}/`)) return null;
  const screen = screenAt(url);
  return screen?.listId || screen?.itemId ? screen : null;
}

/** Opens what a label says that the camera sees, or that is in a picture. */
export async function scan() {
  const reader = await codeReader();
  const status = element('p', { class: 'empty', role: 'status' }, text(reader ? 'scanHint' : 'scanCannot'));
  const sheet = new Sheet(plainBar(text('scan')), status);
  if (!reader) return;
  const video = element('video', { class: 'card scan', muted: true, playsinline: true, hidden: true });
  const input = element('input', {
    type: 'file', class: 'unseen', accept: 'image/*', 'aria-label': text('scanPicture'),
    onchange: () => attempt(() => readPicture()),
  });
  sheet.body.prepend(video);
  sheet.body.append(element('label', { class: 'card file-choice' }, input, element('span', {}, text('scanPicture'))));
  watch();

  /** Opens the first label among codes. Returns false if there is none. */
  function open(codes) {
    const screen = codes.map(({ rawValue }) => screenOf(rawValue)).find((one) => one);
    if (!screen) {
      if (codes.length) status.textContent = text('scanForeign');
      return false;
    }
    sheet.close();
    attempt(() => way.go(screen));
    return true;
  }

  async function watch() {
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    } catch {
      // Refused, missing, or the page came without encryption.
      status.textContent = text('scanNoCamera');
      return;
    }
    sheet.whenClosed.then(() => stream.getTracks().forEach((track) => track.stop()));
    video.srcObject = stream;
    video.hidden = false;
    video.play().catch(() => {});
    while (sheet.element.isConnected && !open(await reader.detect(video).catch(() => []))) await delay(pause);
    stream.getTracks().forEach((track) => track.stop());
  }

  async function readPicture() {
    const [file] = input.files;
    input.value = '';
    if (!file) return;
    const codes = await createImageBitmap(file).then((picture) => reader.detect(picture)).catch(() => []);
    if (!codes.length) status.textContent = text('scanNothing');
    else open(codes);
  }
}
