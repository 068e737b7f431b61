import type { Deps } from '../../deps.ts';
import type { Fact } from '../../devices/fact.ts';

export const hearFact = async (_deps: Deps, _fact: Fact): Promise<void> => {};
