/** How a send ended. */
export type Sent =
  | { state: 'accepted'; providerRef: string | null }
  /** Refused for good. */
  | { state: 'failed'; error: string }
  /** Surely not taken, and worth another try. */
  | { state: 'again'; error: string }
  /** The answer was lost, it may have been taken: never repeated by itself. */
  | { state: 'unknown'; error: string };

const LONGEST = 200;
/** What a provider said, fit to be shown: one line, without the address that it was about, in whatever letters it repeats it. */
export const plainError = (error: string, to: string): string => {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  const line = error.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  const address = new RegExp(to.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'gi');
  return (to === '' ? line : line.replaceAll(address, '…')).slice(0, LONGEST);
};
