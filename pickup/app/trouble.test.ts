import { ApiError } from '@hatchway/contract/client.ts';
import { expect, test } from 'vitest';
import { troubleOf } from './trouble.ts';

const problem = (status: number, code: string, data?: object, retryAfter: number | null = null) =>
  new ApiError(status, JSON.stringify({ type: '', title: '', status, detail: '', code, data }), retryAfter);

test.each([
  [new TypeError('Failed to fetch'), { kind: 'line' }],
  [new DOMException('late', 'TimeoutError'), { kind: 'line' }],
  [new ApiError(502, '<html>Bad gateway', null), { kind: 'line' }],
  [problem(404, 'unknown-link'), { kind: 'link' }],
  [problem(404, 'unknown-cabinet'), { kind: 'cabinet' }],
  [problem(422, 'wrong-code', { triesLeft: 2 }), { kind: 'code', triesLeft: 2 }],
  [problem(422, 'wrong-code'), { kind: 'code', triesLeft: null }],
  [problem(429, 'too-many-codes', undefined, 600), { kind: 'wait', seconds: 600, codes: true }],
  [problem(429, 'too-many-requests'), { kind: 'wait', seconds: null, codes: false }],
  [problem(503, 'unavailable'), { kind: 'later' }],
  [problem(409, 'in-use'), { kind: 'refused', code: 'in-use' }],
  [problem(503, 'cabinet-offline'), { kind: 'refused', code: 'cabinet-offline' }],
  [problem(409, 'nothing-waiting'), { kind: 'refused', code: 'nothing-waiting' }],
  [problem(400, 'malformed'), { kind: 'refused', code: null }],
])('%#: %s', (error, trouble) => expect(troubleOf(error)).toEqual(trouble));
