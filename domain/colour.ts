/** As it is kept and sent: six hexadecimal digits, in small letters. */
export const COLOUR_PATTERN = /^#[0-9a-f]{6}$/;

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
/** Relative luminance by WCAG 2, of a colour as the pattern has it. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Between 1 (the same) and 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const INKS = ['#000000', '#ffffff'] as const;
/** What is read better on it. One of the two always has 4.5 : 1, so that no company can choose a colour that hides its texts. */
export function inkOn(colour: string): (typeof INKS)[number] {
  return contrast(colour, INKS[0]) >= contrast(colour, INKS[1]) ? INKS[0] : INKS[1];
}
