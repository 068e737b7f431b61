import { ADMIN_NOUNS, type Facts } from '@hatchway/domain/access.ts';
import { mayGrant } from '@hatchway/domain/granting.ts';
import { SCOPES } from '@hatchway/domain/terms.ts';

/** Everything that a key can be given, in the order in which it is offered: reading, services at lockers, keeping. */
const KEY_SCOPES = [
  'read',
  ...SCOPES,
  'admin:assets',
  'admin:lockers',
  'admin:payments',
  ...ADMIN_NOUNS.map((noun): `admin:${(typeof ADMIN_NOUNS)[number]}` => `admin:${noun}`),
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
export const isKeyScope = (word: string): word is KeyScope => KEY_SCOPES.some((scope) => scope === word);

/** What this person may give a key: the server asks the same. */
export const grantable = (facts: Facts): KeyScope[] => KEY_SCOPES.filter((scope) => mayGrant(scope, facts));

/** What it has told to others the key must be able to read itself: both go with `read` alone. */
type Telling = 'admin:webhooks' | 'admin:companies';
export const tells = (scope: KeyScope): scope is Telling => scope === 'admin:webhooks' || scope === 'admin:companies';

type Dashed<S extends string> = S extends `admin:${infer Noun}` ? `admin-${Noun}` : S;
/** Its word in the catalogue, where a colon would part namespaces. */
export const wordOf = <S extends KeyScope>(scope: S): Dashed<S> => scope.replace(':', '-') as Dashed<S>;
