import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimFolder, beginAnew, operatorKeyOf, readKept, secretOf, writeKept } from './data-folder.ts';

const folder = () => mkdtempSync(path.join(tmpdir(), 'hatchway-data-'));

describe('the data folder', () => {
  it('keeps one secret that nobody else may read', () => {
    const at = folder();
    const secret = secretOf(at);
    expect(secret.length).toBeGreaterThanOrEqual(43);
    expect(secretOf(at)).toBe(secret);
    expect(statSync(path.join(at, 'secret')).mode & 0o777).toBe(0o600);
    expect(operatorKeyOf(secret)).toBe(operatorKeyOf(secret));
    expect(operatorKeyOf(secret)).not.toContain(secret);
  });

  it('knows whether the demo was seeded to its end', () => {
    const at = folder();
    expect(readKept(at)).toBeNull();
    writeKept(at, { origin: 'http://localhost:8080', demoKey: 'hw_x' });
    expect(readKept(at)).toEqual({ origin: 'http://localhost:8080', demoKey: 'hw_x' });
    expect(statSync(path.join(at, 'demo.json')).mode & 0o777).toBe(0o600);
  });

  it('is used by one start at a time, and taken over from a dead one', () => {
    const at = folder();
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    writeFileSync(path.join(at, 'running'), String(other.pid));
    expect(() => claimFolder(at)).toThrow(/already runs/);
    writeFileSync(path.join(at, 'running'), '999999999');
    const giveBack = claimFolder(at);
    giveBack();
    expect(existsSync(path.join(at, 'running'))).toBe(false);
    other.kill('SIGKILL');
  });

  it('is emptied only where Hatchway began it', async () => {
    const foreign = folder();
    writeFileSync(path.join(foreign, 'thesis.txt'), 'ten years of work');
    await expect(beginAnew(foreign)).rejects.toThrow(/no Hatchway data/);
    expect(readdirSync(foreign)).toEqual(['thesis.txt']);
    const own = folder();
    secretOf(own);
    await beginAnew(own);
    expect(existsSync(own)).toBe(false);
  });

  it('is left unmade where there is none to empty', async () => {
    const none = path.join(folder(), 'none');
    await beginAnew(none);
    expect(existsSync(none)).toBe(false);
  });
});
