import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';

/** What a directory's word is carried out with. `out`: whose sign-ins for this company end after the commit. */
export type Run = { tx: Tx; deps: Deps; scope: Scope; out: Set<string> };
