import { crc32, deflateSync } from 'node:zlib';

/** Pictures of things, drawn by a few formulas: the demo needs no files, and no camera. */

type Shape = 'box' | 'disc' | 'ring' | 'bar' | 'cross' | 'screen';
export type Motif = { shape: Shape; hue: number };

/** Whether a point (−1…1 on both axes) lies on the thing. */
const inside: Record<Shape, (x: number, y: number) => boolean> = {
  box: (x, y) => Math.abs(x) < 0.55 && Math.abs(y) < 0.45 && !(Math.abs(x) < 0.06 && y < 0.05),
  disc: (x, y) => x * x + y * y < 0.3,
  ring: (x, y) => x * x + y * y < 0.36 && x * x + y * y > 0.12,
  bar: (x, y) => Math.abs(x - y) < 0.28 && Math.abs(x + y) < 1.1,
  cross: (x, y) => (Math.abs(x) < 0.16 && Math.abs(y) < 0.55) || (Math.abs(y) < 0.16 && Math.abs(x) < 0.55),
  screen: (x, y) => (Math.abs(x) < 0.6 && y > -0.45 && y < 0.25) || (Math.abs(x) < 0.72 && y > 0.3 && y < 0.4),
};

const channel = (hue: number, saturation: number, light: number) => (n: number) => {
  const k = (n + hue / 30) % 12;
  return Math.round(255 * (light - saturation * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
};
const colour = (hue: number, saturation: number, light: number): [number, number, number] => {
  const at = channel(hue, saturation, light);
  return [at(0), at(8), at(4)];
};

const chunk = (kind: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

/** An 8-bit RGB PNG of so many pixels a side: the thing on a soft ground, with the shadow that it would throw. */
export function picture({ shape, hue }: Motif, side = 480): Buffer {
  const rows = Buffer.alloc(side * (side * 3 + 1));
  for (let row = 0; row < side; row++) {
    for (let at = 0; at < side; at++) {
      const [x, y] = [(at / side) * 2 - 1, (row / side) * 2 - 1];
      const shadow = inside[shape](x - 0.06, y - 0.09);
      const rgb = inside[shape](x, y) ? colour(hue, 0.45, 0.5 - y * 0.16) : colour(hue, 0.14, (shadow ? 0.78 : 0.93) - (y + 1) * 0.03);
      rows.set(rgb, row * (side * 3 + 1) + 1 + at * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
