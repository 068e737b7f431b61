/** What an uploaded picture may be: PNG, JPEG or WebP of so many bytes and pixels. */
export const IMAGE_BYTES = 5 * 1024 * 1024;
export const IMAGE_PIXELS = 40_000_000;
/** No longer side of it is kept. */
export const IMAGE_SIDE = 2400;
