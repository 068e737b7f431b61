import { IMAGE_BYTES, IMAGE_PIXELS, IMAGE_SIDE } from '@hatchway/contract/picture.ts';

const canvasOf = (picture: ImageBitmap): HTMLCanvasElement => {
  const scale = Math.min(1, IMAGE_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
};

const written = (canvas: HTMLCanvasElement, type: string): Promise<Blob | null> => new Promise((done) => canvas.toBlob(done, type, 0.9));

/**
 * A photograph as large as the server takes it: a phone's is made smaller here, turned as its camera said. What is small enough goes as it
 * is, and what this browser cannot read too: the server says what is wrong with it.
 */
export const smallPicture = async (file: Blob): Promise<Blob> => {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (picture === null) return file;
  const isSmall = file.size <= IMAGE_BYTES && picture.width * picture.height <= IMAGE_PIXELS;
  const canvas = isSmall ? null : canvasOf(picture);
  picture.close();
  if (canvas === null) return file;
  // What may be seen through stays so; Safari writes it as a PNG, which may be large again.
  const clear = file.type === 'image/png' || file.type === 'image/webp' ? await written(canvas, 'image/webp') : null;
  return clear !== null && clear.size <= IMAGE_BYTES ? clear : ((await written(canvas, 'image/jpeg')) ?? file);
};
