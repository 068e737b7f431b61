export type Price = { amount: number; currency: string };
/** How a send ended. */
export type Sent =
  /** `segments`: the parts of an SMS, as the gateway counts them. */
  | { state: 'accepted'; providerRef: string | null; segments?: number }
  /** Refused for good. */
  | { state: 'failed'; error: string }
  /** Surely not taken, and worth another try. */
  | { state: 'again'; error: string }
  /** The answer was lost, it may have been taken: never repeated by itself. */
  | { state: 'unknown'; error: string };

const LONGEST = 200;
/**
 * What may open a door or an account, in whatever way a provider writes down the text that it refused: links (encoded once or twice,
 * slashes escaped, without their beginning), tokens by themselves (32 and 43 characters, so that most of one is one too), and codes, six
 * digits that may have those of a `%20` before them. Telephone numbers without their plus go with the codes. Words in capitals
 * (`INVALID_DESTINATION_ADDRESS`) are a gateway's name for what is wrong, however long.
 */
const SECRETS = [
  /https?(?::|%(?:25)*3a)[^\s"<>]*/gi,
  /(?:\\?\/|%(?:25)*2f)(?:p|invitations|password)(?:\\?\/|%(?:25)*2f)[^\s"<>]*/gi,
  /(?<![\w-])(?![A-Z]+(?:_[A-Z]+)+(?![\w-]))[\w-]{24,}/g,
  /\d{6,}/g,
];
const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** One line without the address that it was about, in whatever letters it repeats it. */
const withoutAddress = (said: string, to: string): string => {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  const line = said.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  return to === '' ? line : line.replaceAll(new RegExp(`${literally(to)}|${literally(encodeURIComponent(to))}`, 'gi'), '…');
};

/** The name that a mail server gave to what it took: long, and full of digits. */
export const plainRef = (said: string, to: string): string => withoutAddress(said, to).slice(0, LONGEST);
/** Why a provider refused, fit to be shown and logged. Cut last: half of a secret would not be known for one. */
export const plainError = (error: string, to: string): string =>
  SECRETS.reduce((left, secret) => left.replaceAll(secret, '…'), withoutAddress(error, to)).slice(0, LONGEST);
