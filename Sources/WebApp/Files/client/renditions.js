/**
 * Makes renditions in a browser: smaller versions of photos. The server keeps them beside the photo, and answers them to
 * `rowhouse.photo(item, photo, { size })`.
 *
 *     const { id } = await rowhouse.addPhoto(item, file);
 *     for (const [size, rendition] of await makeRenditions(file)) await rowhouse.addRendition(item, id, size, rendition);
 */

/** The most bytes by size. A size is the length of the shorter side in pixels. */
export const renditionLimits = new Map([[96, 16 << 10], [208, 64 << 10], [1280, 512 << 10]]);

/** The qualities that are tried until the bytes are few enough. */
const qualities = [0.8, 0.6, 0.4];

/** Types that every browser shows. */
const shownTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif']);

/**
 * The sizes of which a photo should have renditions. A file that is small enough itself needs none. A GIF has none for a
 * screen, because it may move and renditions do not.
 */
export const neededSizes = (photo) => [...renditionLimits.keys()]
  .filter((size) => photo.size > renditionLimits.get(size) || !shownTypes.has(photo.type))
  .filter((size) => size < 1280 || photo.type !== 'image/gif');

/**
 * Resolves to the renditions by size, the smallest first. Those that cannot be made are left out: none can be made
 * outside of a browser, or if it cannot show the photo.
 *
 * @param photo a `Blob` or a `File`.
 */
export async function makeRenditions(photo, sizes = neededSizes(photo)) {
  const made = [];
  if (!sizes.length || !globalThis.createImageBitmap || !globalThis.OffscreenCanvas) return new Map();
  try {
    const picture = await createImageBitmap(photo);
    let source = picture;
    // Each is made of the next larger one, which is faster and smoother.
    for (const size of [...sizes].sort((one, other) => other - one)) {
      source = scaled(source, picture, size);
      const rendition = await encoded(source, renditionLimits.get(size));
      if (rendition) made.unshift([size, rendition]);
    }
    picture.close();
  } catch {
    // The browser cannot show the photo, or it is too large for a canvas.
  }
  return new Map(made);
}

/** A canvas with the picture, scaled down. */
function scaled(source, { width, height }, size) {
  const scale = Math.min(1, size / Math.min(width, height));
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** The canvas as WebP, or as JPEG in a browser that does not write WebP. Null if it has too many bytes. */
async function encoded(canvas, limit) {
  for (const quality of qualities) {
    let file = await canvas.convertToBlob({ type: 'image/webp', quality });
    if (file.type !== 'image/webp') {
      const context = canvas.getContext('2d');
      // JPEG has no transparency, and would show black.
      context.globalCompositeOperation = 'destination-over';
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      file = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    }
    if (file.size <= limit) return file;
  }
  return null;
}
