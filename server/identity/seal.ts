import { createSeal } from '../seal.ts';

/** The server's seal, for columns of text. `open` gives null for what was sealed with another key or tampered with. */
export type TextSeal = { close(plain: string): string; open(sealed: string): string | null; hash(secret: string): string };

export function textSeal(secretKey: string): TextSeal {
  const seal = createSeal(secretKey);
  return {
    close: (plain) => seal.close(plain).toString('base64url'),
    open: (sealed) => seal.open(Buffer.from(sealed, 'base64url')),
    hash: (secret) => seal.hash(secret).toString('base64url'),
  };
}
