import { describe, expect, it } from 'vitest';
import { problemOf as answerTo } from '../http/errors.ts';
import { problemOf } from './errors.ts';

const coded = (code: string, message = 'said by PostgreSQL') => Object.assign(new Error(message), { code });

/** What may pass is 503, and says when to come again; a defect is none of it. */
describe.each<[string, unknown]>([
  ['nobody listens', coded('ECONNREFUSED')],
  ['nobody listens, at either address of the name', Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })],
  ['nobody has the socket', coded('ENOENT', 'connect ENOENT /data/.s.PGSQL.5432')],
  ['the line is cut', coded('ECONNRESET')],
  ['the name leads nowhere for now', coded('EAI_AGAIN')],
  ['no way to the host', coded('EHOSTUNREACH')],
  ['shut down', coded('57P01')],
  ['ended beside a crashed one', coded('57P02')],
  ['still starting', coded('57P03')],
  ['the line broke in the midst', coded('08006')],
  ['the login is refused since', coded('28P01')],
  ['too many connections', coded('53300')],
  ['the disk is full', coded('53100', 'could not extend file "base/5/16388": No space left on device')],
  ['the disk cannot be written', coded('58030')],
  ['a standby, which takes no writes', coded('25006')],
  ['out of memory', coded('53200')],
  ['out of time', coded('57014')],
  ['pg: cut under a statement', new Error('Connection terminated unexpectedly')],
  ['pg: cut before a statement', new Error('Client has encountered a connection error and is not queryable')],
  ['pg: closed before a statement', new Error('Client was closed and is not queryable')],
  ['pg: no connection in time', new Error('timeout exceeded when trying to connect')],
  ['pg: none in time, on the way', new Error('Connection terminated due to connection timeout')],
  ['pg: while stopping', new Error('Cannot use a pool after calling end on the pool')],
])('the database away: %s', (_how, error) => {
  it('may pass', () => {
    expect(problemOf(error)).toBe('unavailable');
    expect(answerTo(error)).toMatchObject({ code: 'unavailable', retryAfter: 2 });
  });
});

describe.each<[string, unknown]>([
  ['a column that is none', coded('42703')],
  ['an unknown broken constraint', Object.assign(coded('23514'), { constraint: 'of_nobody' })],
  ['damaged data', coded('XX001')],
  ['a right that we lack', coded('42501')],
  ['anything that is thrown', new TypeError('x is not a function')],
])('a defect: %s', (_how, error) => {
  it('stays one', () => expect(answerTo(error).code).toBe('defect'));
});
