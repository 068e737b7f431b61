import { describe, expect, it } from 'vitest';
import { stageName, type Stage } from '@hatchway/domain/terms.ts';
import { history as enHistory } from '@hatchway/portal/i18n/en/history.ts';
import { en as english } from '@hatchway/portal/i18n/en/catalogue.ts';
import { history as nbHistory } from '@hatchway/portal/i18n/nb/history.ts';
import { nb as norwegian } from '@hatchway/portal/i18n/nb/catalogue.ts';
import { eventWord } from '@hatchway/server/modules/history/queries.ts';
import { DEADLINE_WORDS, WORDS } from '@hatchway/server/modules/history/words.ts';

const [en, nb] = [english.terms, norwegian.terms];
/** GET /types/{kind} and the screens call the same thing by the same word. */
const PORTAL: Record<string, readonly [en: Record<string, string>, nb: Record<string, string>]> = {
  occupations: [en.type, nb.type],
  roles: [en.role, nb.role],
  scopes: [en.scope, nb.scope],
  licenses: [en.license, nb.license],
  payments: [en.payment, nb.payment],
  services: [en.service, nb.service],
  history: [enHistory.events, nbHistory.events],
  lockers: [
    { ...en.lockerState, ...en.connection, ...en.door, ...en.content },
    { ...nb.lockerState, ...nb.connection, ...nb.door, ...nb.content },
  ],
};

describe('the words of a kind', () => {
  // shows R3.7, R7.17
  it.each(Object.entries(PORTAL))('%s are the portal’s, all of them', (kind, [english, norwegian]) => {
    const told = WORDS[kind] ?? [];
    expect(Object.fromEntries(told.map(([value, word]) => [value, word]))).toEqual(english);
    expect(Object.fromEntries(told.map(([value, , word]) => [value, word]))).toEqual(norwegian);
  });

  it('a moved deadline is told as the portal tells it', () => {
    expect(enHistory).toMatchObject(DEADLINE_WORDS.en);
    expect(nbHistory).toMatchObject(DEADLINE_WORDS.nb);
  });

  it('a word that a sensor denied is told as the portal tells it', () => {
    const denied = { type: 'locker_empty', data: { denied: true } };
    const told = (['en', 'nb'] as const).map((locale) => eventWord(denied, locale, String));
    expect(told).toEqual([enHistory.saidEmpty, nbHistory.saidEmpty]);
  });

  it('whoever ended a storage is told to have said that it is empty, not that something was taken', () => {
    const ended = { type: 'occupation_claimed', data: { saidEmpty: true } };
    expect((['en', 'nb'] as const).map((locale) => eventWord(ended, locale, String))).toEqual([enHistory.saidEmpty, nbHistory.saidEmpty]);
  });

  it('stages go by their number', () => {
    const names = (WORDS['stages'] ?? []).map(([value, english, norwegian]) => [stageName(value as Stage), english, norwegian]);
    expect(names).toEqual(Object.entries(en.stage).map(([name, word]) => [name, word, nb.stage[name as keyof typeof nb.stage]]));
  });
});
