import { isEmail, isNumberOf, mayBeNumber, normalEmail } from '@hatchway/domain/receiver.ts';

export type Reach = { email: string } | { tlf: string };
/** As it was written, for the messages that speak of it. */
export const reachWords = (reach: Reach): string => ('email' in reach ? reach.email : reach.tlf);

/**
 * People out of what somebody typed or pasted: one a line, or with commas or semicolons between. `Kari Berg <kari@example.com>` is the
 * address alone; whoever stands there twice is one.
 */
export const peopleIn = (text: string): { people: Reach[]; wrong: string[] } => {
  const people = new Map<string, Reach>();
  const wrong: string[] = [];
  for (const piece of text.split(/[\n,;]+/)) {
    const words = (/<([^<>]+)>\s*$/.exec(piece)?.[1] ?? piece).trim();
    if (words === '') continue;
    if (isEmail(words)) people.set(normalEmail(words), { email: words });
    else if (!mayBeNumber(words)) wrong.push(words);
    else if (![...people.keys()].some((known) => isNumberOf(known, words) || isNumberOf(words, known))) people.set(words, { tlf: words });
  }
  return { people: [...people.values()], wrong };
};

/** An invitation that is open already, with every way that it goes by. */
export type OpenInvitation = { id: string; email: string | null; tlf: string | null };
/** Out of what the refusal `invited-already` carries. */
export const openInvitationOf = ({ invitationId: id, email, tlf }: Record<string, unknown>): OpenInvitation | null =>
  typeof id === 'string' ? { id, email: typeof email === 'string' ? email : null, tlf: typeof tlf === 'string' ? tlf : null } : null;

/** Sent anew it reaches whoever was typed, each way that was: what is left empty asks for nothing. */
export const goesWhereTyped = ({ email, tlf }: OpenInvitation, typed: { email: string; tlf: string }): boolean =>
  (typed.email === '' || normalEmail(typed.email) === email) && (typed.tlf === '' || isNumberOf(tlf, typed.tlf));
