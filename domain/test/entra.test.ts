import { expect, it } from 'vitest';
import { signsInAtDirectory } from '../entra.ts';

const here = (...roles: string[]) => ({ tenantId: 'here', roles });
const there = { tenantId: 'there', roles: ['manager'] };
const decide = (hasPassword: boolean, ...companies: { tenantId: string; roles: string[] }[]) =>
  signsInAtDirectory({ hasPassword, tenantId: 'here', companies });

it('sends a directory’s people there, and keeps the password of whoever would be shut out without it', () => {
  expect(decide(true, here('manager'))).toBe(true);
  expect(decide(true, here('admin'))).toBe(false);
  expect(decide(true, here(), there)).toBe(false);
  // Without a password nothing else is left.
  expect(decide(false, here('admin'))).toBe(true);
  expect(decide(false, here(), there)).toBe(true);
});
