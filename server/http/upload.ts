import type { FastifyRequest } from 'fastify';
import { IMAGE_BYTES } from '@hatchway/contract/picture.ts';
import { malformedAt, Problem } from './problem.ts';
import { bodyOf, textOf, throwUnlessUtf8 } from './text.ts';

const CSV_BYTES = 8 * 1024 * 1024;

const DATA_BYTES = 1024 * 1024;
const PARTS = 6;

const tooLarge = (what: string, bytes: number): Problem => new Problem('too-large', `${what} may have ${bytes / 1024 / 1024} MB at most`);

/**
 * Form data with `data` (JSON) and `image`, or `file` for a call that reads CSV. Throws Problem `malformed` or `too-large`; the bytes are
 * looked at by who keeps them.
 */
export const readForm = async (
  request: FastifyRequest,
  kind: true | 'csv',
): Promise<{ data: unknown; image: Uint8Array | null; file: Uint8Array | null }> => {
  throwUnlessUtf8(request.headers['content-type']);
  let data: unknown = {};
  let sent: Uint8Array | null = null;
  let isEmpty = true;
  const [name, fileSize] = kind === 'csv' ? ['file', CSV_BYTES] : ['image', IMAGE_BYTES];
  try {
    // Every part as its bytes: text would be decoded before anybody could see that it is none.
    for await (const part of request.parts({ limits: { files: PARTS, fileSize }, isPartAFile: () => true })) {
      if (part.type !== 'file') continue;
      isEmpty = false;
      const isFile = part.fieldname === name;
      const isUnnamed = part.filename === undefined && part.mimetype !== 'application/octet-stream';
      // `data` may name its type, and a browser's Blob has a file's name too.
      if (isFile ? isUnnamed : part.fieldname !== 'data') throw malformedAt(`/${part.fieldname}`, 'unknown field');
      const bytes = await part.toBuffer();
      if (isFile && sent) throw new Problem('too-large', 'One file is taken');
      if (isFile) sent = bytes;
      else if (bytes.length > DATA_BYTES) throw tooLarge('data', DATA_BYTES);
      else data = bodyOf(textOf(bytes));
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    const code = (error as { code?: string }).code ?? '';
    if (code.includes('TOO_LARGE') || code.includes('LIMIT')) throw tooLarge('A file', fileSize);
    throw error instanceof SyntaxError ? malformedAt('/data', 'not JSON') : new Problem('malformed', 'The form data cannot be read');
  }
  if (isEmpty) throw new Problem('malformed', 'The form data cannot be read');
  return kind === 'csv' ? { data, image: null, file: sent } : { data, image: sent, file: null };
};
