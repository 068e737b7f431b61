import type { FastifyRequest } from 'fastify';
import { malformedAt, Problem } from './problem.ts';

const IMAGE_BYTES = 5 * 1024 * 1024;

const CSV_BYTES = 8 * 1024 * 1024;

/**
 * Form data with `data` (JSON) and `image`, or `file` for a call that reads CSV. Throws Problem `malformed` or `too-large`; the bytes are
 * looked at by who keeps them.
 */
export const readForm = async (
  request: FastifyRequest,
  kind: true | 'csv',
): Promise<{ data: unknown; image: Uint8Array | null; file: Uint8Array | null }> => {
  let data: unknown = {};
  let sent: Uint8Array | null = null;
  const [name, fileSize] = kind === 'csv' ? ['file', CSV_BYTES] : ['image', IMAGE_BYTES];
  try {
    for await (const part of request.parts({ limits: { files: 1, fields: 5, fileSize, fieldSize: 1024 * 1024 } })) {
      if (part.type === 'file' && part.fieldname === name) sent = await part.toBuffer();
      else if (part.type === 'file') throw malformedAt(`/${part.fieldname}`, 'unknown field');
      else if (part.fieldname === 'data') data = JSON.parse(String(part.value));
      else throw malformedAt(`/${part.fieldname}`, 'unknown field');
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    const code = (error as { code?: string }).code ?? '';
    if (code.includes('TOO_LARGE') || code.includes('LIMIT'))
      throw new Problem('too-large', `A file may have ${fileSize / 1024 / 1024} MB at most`);
    throw error instanceof SyntaxError ? malformedAt('/data', 'not JSON') : new Problem('malformed', 'The form data cannot be read');
  }
  return kind === 'csv' ? { data, image: null, file: sent } : { data, image: sent, file: null };
};
