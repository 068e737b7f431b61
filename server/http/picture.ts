import { createHash } from 'node:crypto';
import type Sharp from 'sharp';
import { IMAGE_PIXELS, IMAGE_SIDE } from '@hatchway/contract/picture.ts';
import { turns } from '../turns.ts';
import { Problem } from './problem.ts';

/** An uploaded image as it is kept: re-encoded, without metadata, one WebP for each width that is served. */
export type Picture = { width: number; bytes: Buffer; etag: string }[];

const WIDTHS = [96, 480, 1200] as const;
const QUALITY = 82;
/** Decoding takes a core and some 200 MB at worst: more at once would only slow everybody down. */
const AT_ONCE = 2;

/** Told by the first bytes, whatever the name or the content type say: nothing else reaches the decoder. */
const isImage = (bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return head.startsWith('\x89PNG\r\n\x1a\n') || head.startsWith('\xff\xd8\xff') || (head.startsWith('RIFF') && head.endsWith('WEBP'));
};

const inTurn = turns(AT_ONCE);

const encode = async (sharp: typeof Sharp, bytes: Uint8Array): Promise<Picture> => {
  const options = { limitInputPixels: IMAGE_PIXELS, failOn: 'error' } as const;
  const { width, height } = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
  if (width * height > IMAGE_PIXELS) throw new Problem('too-large', 'An image may have 40 megapixels at most');
  const widest = Math.max(...WIDTHS);
  // Decoded once, turned as its camera said; what a camera wrote beside the picture (place, time, owner) is not carried on.
  const { data, info } = await sharp(bytes, options)
    .rotate()
    .resize({ width: widest, height: IMAGE_SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return Promise.all(
    WIDTHS.map(async (to) => {
      const webp = await sharp(data, { raw })
        .resize({ width: to, height: to * 2, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .toBuffer();
      return { width: to, bytes: webp, etag: `"${createHash('sha256').update(webp).digest('base64url').slice(0, 22)}"` };
    }),
  );
};

/** Throws Problem `unsupported-media` for what is no PNG, JPEG or WebP, `too-large`, or `image-unreadable` for a picture that cannot be decoded. */
export const readPicture = async (bytes: Uint8Array): Promise<Picture> => {
  if (!isImage(bytes)) throw new Problem('unsupported-media', 'An image is PNG, JPEG or WebP');
  // Loaded with the first picture: its library takes memory that most processes never need.
  const { default: sharp } = await import('sharp');
  return inTurn(() => encode(sharp, bytes)).catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    throw new Problem('image-unreadable', undefined, { errors: [{ pointer: '/image', detail: 'cannot be read' }] });
  });
};
