import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { ROOT } from './root.js';

/** A real program that tests run against, as found on this machine. */
export interface PartStatus {
  readonly available: boolean;
  /** The full path of the program; empty when not available. */
  readonly path: string;
  /** Why it is not available; empty when it is. */
  readonly reason: string;
}

/** Looks up one part. The table of parts is `scripts/parts/table.mjs`; an unknown name is a mistake in the test. */
export function part(name: string): PartStatus {
  const row = partTable().find((candidate) => candidate.name === name);
  if (!row) throw new Error(`no part is called ${name}: add it to scripts/parts/table.mjs`);
  return { available: row.path !== null, path: row.path ?? '', reason: row.reason };
}

/** A suite that needs a part: skipped with the reason in its name when the part is missing. */
export function describePart(name: string, title: string, suite: (found: PartStatus) => void): void {
  const found = part(name);
  if (found.available) describe(title, () => suite(found));
  else describe.skip(`${title} (skipped: ${found.reason})`, () => suite(found));
}

interface PartRow {
  readonly name: string;
  readonly path: string | null;
  readonly reason: string;
  readonly usedBy: readonly string[];
}

/** What `npm test` found, or, when vitest runs by itself, what is found now. */
export function partTable(): readonly PartRow[] {
  const file = join(ROOT, '.cache', 'parts.json');
  if (!existsSync(file)) execFileSync(process.execPath, [join(ROOT, 'scripts', 'parts', 'probe.mjs')]);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly PartRow[];
}
