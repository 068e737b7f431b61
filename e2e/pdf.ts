import { inflateSync } from 'node:zlib';

export type PdfPage = { width: number; height: number; text: string };

const MM = 25.4 / 72;
const hex = (text: string): number => Number.parseInt(text, 16);

/** What Chromium wrote for the printer: each page's size in millimetres and its text, without the room between words, read from the file itself. */
export const pagesOf = (pdf: Buffer): PdfPage[] => {
  const source = pdf.toString('latin1');
  const objects = new Map<string, { head: string; body: () => string }>();
  for (const found of source.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, id = '', whole = ''] = found;
    const begin = whole.indexOf('stream\n');
    const head = begin < 0 ? whole : whole.slice(0, begin);
    const body = () => {
      const bytes = Buffer.from(whole.slice(begin + 'stream\n'.length, whole.lastIndexOf('\nendstream')), 'latin1');
      return (head.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
    };
    objects.set(id, { head, body });
  }
  const named = (head: string, name: string): string => new RegExp(`/${name}\\s+(\\d+) 0 R`).exec(head)?.[1] ?? '';
  /** Which letter each glyph of a font is. */
  const lettersOf = (font: string): Map<number, string> => {
    const letters = new Map<number, string>();
    const map = objects.get(named(objects.get(font)?.head ?? '', 'ToUnicode'))?.body() ?? '';
    const letter = (code: number) => String.fromCodePoint(code);
    for (const [, part = ''] of map.matchAll(/beginbfchar\n([\s\S]*?)endbfchar/g))
      for (const [, glyph = '', code = ''] of part.matchAll(/<(\w+)> <(\w{4})/g)) letters.set(hex(glyph), letter(hex(code)));
    for (const [, part = ''] of map.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g))
      for (const [, from = '', to = '', code = ''] of part.matchAll(/<(\w+)> <(\w+)> <(\w{4})/g))
        for (let glyph = hex(from); glyph <= hex(to); glyph++) letters.set(glyph, letter(hex(code) + glyph - hex(from)));
    return letters;
  };
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b/.test(head))
    .map(({ head }) => {
      const [, width = '0', height = '0'] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(head) ?? [];
      const fonts = new Map(
        [...head.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => [
          name,
          { letters: lettersOf(id), digits: /\/Type3\b/.test(objects.get(id)?.head ?? '') ? 2 : 4 },
        ]),
      );
      let font = '';
      let text = '';
      const content = objects.get(named(head, 'Contents'))?.body() ?? '';
      for (const [, next, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|((?:<[0-9A-Fa-f]+>|\[[^\]]*\]) ?TJ?j?)/g)) {
        font = next ?? font;
        const { letters, digits } = fonts.get(font) ?? { letters: new Map<number, string>(), digits: 4 };
        for (const [, glyphs = ''] of (shown ?? '').matchAll(/<([0-9A-Fa-f]+)>/g))
          for (let at = 0; at < glyphs.length; at += digits) text += letters.get(hex(glyphs.slice(at, at + digits))) ?? '';
      }
      return { width: Math.round(Number(width) * MM), height: Math.round(Number(height) * MM), text };
    });
};
