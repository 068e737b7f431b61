/** What a company may word itself. Recall and loan are told apart from their likes, since another sentence fits them. */
export const TEMPLATE_KINDS = [
  'ready',
  'request',
  'recall',
  'reminder',
  'reminder-loan',
  'taken-out',
  'invitation',
  'staff-dropped-off',
  'staff-brought-back',
  'staff-unexpected-opening',
  'staff-refill',
  'staff-inspect',
  'staff-report',
  'staff-order-cancelled',
  'staff-tool-refused',
  'staff-cabinet-offline',
  'staff-door-left-open',
] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];
export const TEMPLATE_CHANNELS = ['sms', 'mail'] as const;
export type TemplateChannel = (typeof TEMPLATE_CHANNELS)[number];

export const PLACEHOLDERS = ['company', 'name', 'site', 'cabinet', 'door', 'link', 'code', 'until', 'hours', 'thing'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
export type Values = Readonly<Record<Placeholder, string | null>>;

const PLACES: readonly Placeholder[] = ['company', 'site', 'cabinet', 'door'];
const KEYS: readonly TemplateKind[] = ['ready', 'request', 'recall', 'reminder', 'reminder-loan'];

/** What a message of that kind can tell; anything else in its text is refused. */
export function placeholdersOf(kind: TemplateKind): readonly Placeholder[] {
  // Only who is to bring something back is told what it is: of what lies in a locker a message says nothing.
  if (KEYS.includes(kind)) return PLACEHOLDERS.filter((name) => name !== 'thing' || kind === 'recall');
  if (kind === 'invitation') return ['company', 'link'];
  return kind === 'taken-out' ? [...PLACES, 'name'] : PLACES;
}

const PLACEHOLDER = /\{([^{}\n]*)\}/g;

type TemplateFault =
  /** There is no such placeholder, or not for this kind; `name` as it was written. */
  | { readonly fault: 'unknown-placeholder'; readonly name: string }
  /** An SMS that lets somebody in must tell at least one of these. */
  | { readonly fault: 'missing-key'; readonly oneOf: readonly Placeholder[] };

/** What is wrong with a text; null: nothing. A mail need not hold link and code: they stand below its text anyway. */
export function templateFault(kind: TemplateKind, channel: TemplateChannel, text: string): TemplateFault | null {
  const used = [...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '');
  const known: readonly string[] = placeholdersOf(kind);
  const name = used.find((one) => !known.includes(one));
  if (name !== undefined) return { fault: 'unknown-placeholder', name };
  const oneOf: readonly Placeholder[] = kind === 'invitation' ? ['link'] : KEYS.includes(kind) ? ['link', 'code'] : [];
  if (channel === 'sms' && oneOf.length > 0 && !oneOf.some((one) => used.includes(one))) return { fault: 'missing-key', oneOf };
  return null;
}

/**
 * The text with everything told. A line that would tell only what is not known is left out; else what is not known leaves its place
 * empty. What is put in is never looked at again: a receiver called "{code}" is only that.
 */
export function rendered(text: string, values: Values): string {
  const valueOf = (name: string): string | null =>
    PLACEHOLDERS.reduce<string | null>((found, one) => (one === name ? values[one] : found), null);
  const lines = text.split('\n').filter((line) => {
    const names = [...line.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '');
    return names.length === 0 || names.some((name) => valueOf(name) !== null);
  });
  return lines
    .map((line) =>
      line
        .replace(PLACEHOLDER, (_, name: string) => valueOf(name) ?? '')
        .replaceAll(/ {2,}/g, ' ')
        .trimEnd(),
    )
    .join('\n')
    .trim();
}
