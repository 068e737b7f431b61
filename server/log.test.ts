import { expect, it } from 'vitest';
import { newLog } from './log.ts';

it('tells what an error is, and nothing of what hangs on it', () => {
  const lines: string[] = [];
  const log = newLog('info', { write: (line) => lines.push(line) });
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    constraint: 'accounts_email',
    detail: 'Key (email)=(kari@example.test) already exists.',
    client: { connectionParameters: { user: 'hatchway_app' }, secretKey: 4711 },
  });
  log.error({ err: error }, 'a request met a defect');
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ err: { message: 'duplicate key', code: '23505', constraint: 'accounts_email' } });
  expect(lines[0]).not.toMatch(/kari|4711|hatchway_app/);
});
