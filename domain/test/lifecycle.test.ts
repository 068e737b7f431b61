import { describe, expect, it } from 'vitest';
import { transition } from '../transition.ts';
import type { Answer, Command, Context, Occupation } from '../occupation-types.ts';
import { OCCUPATION_TYPES, STAGE_NAMES, STAGES, stageName, type OccupationType, type StageName } from '../terms.ts';
import { context, minutes, occupationIn } from './samples.ts';

/**
 * Written out from the design's table, not from the code: column (what is said) | types | from | to | events. "=" stays, "<" goes back
 * to where the claim came from. Cells that no line names must be refused, or, for device facts and receipts, change nothing. Not the
 * table's are what becomes of a message in CONTACTED and that a storage hears no lock control in a claim, where docs/decisions/0011 leaves
 * it, and `amend`, which the design has in words beside it and whose event is ours.
 */
const EXPECTED = `
fill                | delivery lending consumable sale        | RESERVED INITIATED VACANT | FILLED | occupation_filled
fill                | storage                                 | RESERVED INITIATED | ACQUIRABLE | occupation_filled occupation_stored occupation_published
fill                | drop-off recall                         | RESERVED INITIATED | ACQUIRABLE | occupation_filled occupation_published
fill 2              | consumable sale                         | RESERVED INITIATED VACANT | FILLED | occupation_filled
fill 2              | consumable sale                         | FILLED ACQUIRABLE | = | occupation_refilled
fill elsewhere      | *                                       | VACANT | FILLED | occupation_refilled locker_reserved
nothing-inside      | *                                       | INITIATED | RESERVED | locker_empty
publish             | delivery lending consumable sale        | FILLED | ACQUIRABLE | occupation_published
send                | delivery lending storage                | FILLED | CONTACTING | occupation_published
send                | delivery lending storage                | ACQUIRABLE CONTACTED | CONTACTING |
send                | drop-off recall                         | RESERVED | = |
message-accepted    | *                                       | CONTACTING | CONTACTED |
message-failed      | *                                       | CONTACTING | ACQUIRABLE |
message-accepted    | *                                       | CONTACTED | = |
message-failed      | *                                       | CONTACTED | = |
claim               | *                                       | ACQUIRABLE CONTACTING CONTACTED | CLAIMING | occupation_assigned
door-opened named   | *                                       | RESERVED | INITIATED | locker_opened
door-opened named   | *                                       | CLAIMING | = | occupation_claiming locker_opened
door-opened         | delivery lending consumable sale drop-off recall | CLAIMING | = | occupation_claiming locker_opened
claim-failed        | *                                       | CLAIMING | < |
door-closed         | storage                                 | CLAIMING | ACQUIRABLE | occupation_stored
finnish             | delivery                                | CLAIMING | TERMINATED | occupation_claimed occupation_delivered
finnish             | drop-off                                | CLAIMING | TERMINATED | occupation_claimed
finnish             | recall                                  | CLAIMING | TERMINATED | occupation_claimed occupation_returned
finnish             | storage                                 | ACQUIRABLE CONTACTED CLAIMING | TERMINATED | occupation_claimed occupation_unstored
finnish             | lending                                 | CLAIMING | VACANT | occupation_claimed occupation_borrowed
finnish             | consumable                              | CLAIMING | ACQUIRABLE | occupation_claimed occupation_consumed
finnish the last    | consumable                              | CLAIMING | VACANT | occupation_claimed occupation_consumed
finnish             | sale                                    | CLAIMING | ACQUIRABLE | occupation_claimed occupation_sold
finnish the last    | sale                                    | CLAIMING | TERMINATED | occupation_claimed occupation_sold
return              | drop-off delivery lending consumable sale recall | CLAIMING | < | occupation_returned
return              | lending                                 | VACANT | ACQUIRABLE | occupation_returned
return to inspect   | lending                                 | VACANT | FILLED | occupation_returned
return elsewhere    | lending                                 | VACANT | ACQUIRABLE | occupation_returned
extract             | *                                       | FILLED ACQUIRABLE CONTACTING CONTACTED | VACANT | occupation_extract
empty               | *                                       | INITIATED FILLED ACQUIRABLE CONTACTING CONTACTED CLAIMING | VACANT | locker_empty
reset               | *                                       | INITIATED VACANT | RESERVED | locker_reserved
reset elsewhere     | *                                       | RESERVED VACANT | RESERVED | locker_reserved
delete              | *                                       | RESERVED INITIATED FILLED ACQUIRABLE CONTACTING CONTACTED CLAIMING VACANT | TERMINATED | occupation_terminated
delete lost         | *                                       | RESERVED INITIATED FILLED ACQUIRABLE CONTACTING CONTACTED CLAIMING VACANT | TERMINATED | occupation_terminated
amend               | *                                       | RESERVED INITIATED FILLED ACQUIRABLE CONTACTING CONTACTED CLAIMING VACANT | = | occupation_amended
expire-reservation  | *                                       | RESERVED | TERMINATED | occupation_terminated
archive             | *                                       | TERMINATED | ARCHIVED | occupation_archived
`;

interface Column {
  readonly command: Command;
  readonly ctx?: Partial<Context>;
  readonly occupation?: Partial<Occupation>;
  /** Types it is asked of where the question makes no sense for others: "the last piece" of a delivery. */
  readonly of?: readonly OccupationType[];
}
const STOCK: readonly OccupationType[] = ['consumable', 'sale'];
const rules = context().rules;
const COLUMNS: Record<string, Column> = {
  fill: { command: { kind: 'fill' } },
  'fill 2': { command: { kind: 'fill', quantity: 2 }, of: STOCK },
  'fill elsewhere': { command: { kind: 'fill', lockerId: 'l2' } },
  'nothing-inside': { command: { kind: 'nothing-inside' } },
  publish: { command: { kind: 'publish' } },
  send: { command: { kind: 'send' } },
  'message-accepted': { command: { kind: 'message-accepted' } },
  'message-failed': { command: { kind: 'message-failed', error: 'no such number' } },
  claim: { command: { kind: 'claim' } },
  'door-opened named': { command: { kind: 'door-opened', named: true } },
  'door-opened': { command: { kind: 'door-opened', named: false } },
  'door-closed': { command: { kind: 'door-closed' }, occupation: { doorOpenedAt: minutes(-1) } },
  'claim-failed': { command: { kind: 'claim-failed', why: 'no-answer' } },
  finnish: { command: { kind: 'finnish' } },
  'finnish the last': { command: { kind: 'finnish' }, occupation: { quantity: 1 }, of: STOCK },
  return: { command: { kind: 'return' } },
  'return to inspect': {
    command: { kind: 'return' },
    ctx: { openLoan: true, rules: { ...rules, inspectReturns: true } },
    of: ['lending'],
  },
  'return elsewhere': { command: { kind: 'return', lockerId: 'l2' }, of: ['lending'] },
  extract: { command: { kind: 'extract' } },
  empty: { command: { kind: 'empty' } },
  reset: { command: { kind: 'reset' } },
  'reset elsewhere': { command: { kind: 'reset', lockerId: 'l2' } },
  delete: { command: { kind: 'delete' } },
  'delete lost': { command: { kind: 'delete', reason: 'lost' }, ctx: { openLoan: true } },
  amend: { command: { kind: 'amend', note: 'n' } },
  'expire-reservation': { command: { kind: 'expire-reservation' } },
  archive: { command: { kind: 'archive' } },
};
/** "return to inspect" in CLAIMING is the same as "return": said once above, meant for both. "return elsewhere" is refused there. */
const SAME_IN_CLAIMING: Record<string, string> = { 'return to inspect': 'return' };

interface Cell {
  readonly to: string;
  readonly events: readonly string[];
}
const cells = new Map<string, Cell>();
for (const line of EXPECTED.trim().split('\n')) {
  const [column = '', types = '', from = '', to = '', events = ''] = line.split('|').map((cell) => cell.trim());
  for (const type of types === '*' ? OCCUPATION_TYPES : types.split(' ')) {
    for (const stage of from.split(' ')) cells.set(`${column}/${type}/${stage}`, { to, events: events.split(' ').filter(Boolean) });
  }
}
function cellFor(column: string, type: OccupationType, stage: StageName): Cell | undefined {
  const name = stage === 'CLAIMING' ? (SAME_IN_CLAIMING[column] ?? column) : column;
  return cells.get(`${name}/${type}/${stage}`);
}
function refusalFor(command: Command, stage: StageName): string | null {
  if (['door-opened', 'door-closed', 'message-accepted'].includes(command.kind)) return null;
  if (command.kind === 'reset') return 'content-inside';
  return command.kind === 'claim' && stage === 'CLAIMING' ? 'in-use' : 'occupation-transition';
}

function seen(answer: Answer, before: Occupation): unknown {
  if (!answer.ok) return answer.refusal;
  const { occupation, events } = answer;
  const written = events.map((event) => event.type);
  const moved = occupation.stage !== before.stage || written.length > 0;
  return { stage: stageName(occupation.stage), events: written, grew: moved ? occupation.version - before.version : 'free' };
}
function wanted(name: string, { command }: Column, type: OccupationType, stage: StageName): unknown {
  const cell = cellFor(name, type, stage);
  const code = refusalFor(command, stage);
  if (cell === undefined) return code === null ? { stage, events: [], grew: 'free' } : { code, stage, action: command.kind };
  const to = cell.to === '=' ? stage : cell.to === '<' ? 'ACQUIRABLE' : cell.to;
  // The request of a drop-off changes no row: it sends a message.
  return { stage: to, events: cell.events, grew: to !== stage || cell.events.length > 0 ? 1 : 'free' };
}
describe('every stage × command × type', () => {
  it('names only columns and stages that exist', () => {
    for (const key of cells.keys()) expect(Object.keys(COLUMNS)).toContain(key.split('/')[0]);
    for (const column of Object.keys(COLUMNS)) expect([...cells.keys()].some((key) => key.startsWith(`${column}/`))).toBe(true);
    expect(cells.size).toBeGreaterThan(200);
  });

  describe.each(OCCUPATION_TYPES)('%s', (type) => {
    const questions = Object.entries(COLUMNS).filter(([, column]) => column.of === undefined || column.of.includes(type));
    describe.each(questions)('%s', (name, column) => {
      // shows R4.2
      it.each(STAGE_NAMES)('in %s', (stage) => {
        const before = Object.freeze(occupationIn(STAGES[stage], type, column.occupation));
        const answer = transition(before, column.command, context(column.ctx));
        expect(seen(answer, before)).toEqual(wanted(name, column, type, stage));
      });
    });
  });

  it.each(['ACQUIRABLE', 'CONTACTING', 'CONTACTED'] as const)('goes back to %s, where the claim came from', (stage) => {
    const claimed = transition(occupationIn(STAGES[stage], 'delivery'), { kind: 'claim' }, context());
    if (!claimed.ok) throw new Error(claimed.refusal.code);
    expect(claimed.occupation.resumeStage).toBe(STAGES[stage]);
    for (const command of [{ kind: 'return' }, { kind: 'claim-failed', why: 'refused' }] as const) {
      const back = transition(claimed.occupation, command, context());
      expect(back).toMatchObject({ ok: true, occupation: { stage: STAGES[stage], resumeStage: null, claimedBy: null } });
      // A message may have been accepted meanwhile; in CLAIMING that changed nothing.
      expect(back.ok && back.effects.some((effect) => effect.kind === 'settle-message')).toBe(stage === 'CONTACTING');
    }
  });
});
