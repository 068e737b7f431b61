import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule, TestSpecification, Vitest } from 'vitest/node';

/** Where the reporter writes, beside vitest's own JSON report. */
export const besideOf = (report: string): string => report.replace(/\.json$/, '.beside.json');
/** What vitest's JSON report leaves out: errors outside any test, and files that no worker came to. */
export type Beside = { errors: string[]; notBegun: string[] };

export default class BesideReporter implements Reporter {
  #report = '';
  #wanted: string[] = [];

  onInit({ config }: Vitest): void {
    const { outputFile } = config;
    this.#report = typeof outputFile === 'string' ? outputFile : (outputFile?.['json'] ?? '');
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#wanted = specifications.map(({ moduleId }) => moduleId);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const begun = new Set(
      modules.filter((module) => module.state() !== 'queued' && module.state() !== 'pending').map(({ moduleId }) => moduleId),
    );
    const beside: Beside = {
      errors: unhandled.map((error) => error.stack ?? error.message),
      notBegun: this.#wanted.filter((file) => !begun.has(file)),
    };
    if (this.#report !== '') writeFileSync(besideOf(this.#report), JSON.stringify(beside));
  }
}
