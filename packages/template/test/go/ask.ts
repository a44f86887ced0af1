import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../../../test/root.js';
import { buildGo } from './build.js';

/** What Go says of a case. */
export interface GoAnswer {
  readonly id: string;
  readonly ok: boolean;
  readonly out: string | null;
  readonly err: string | null;
  /** The output in base64 when it is not UTF-8. */
  readonly bytes?: string;
  /** True when the case went past a bound of the oracle, so that there is no answer. */
  readonly limit?: boolean;
}

/** Builds the oracle with this `go`, each user its own: tests run side by side. */
export function buildOracle(go: string, user = 'oracle'): string {
  const folder = join(ROOT, '.cache', 'go-oracle', user);
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'oracle');
  buildGo(go, dirname(fileURLToPath(import.meta.url)), program);
  return program;
}

/** Go's answers to the lines of some cases, in order. */
export async function askOracle(program: string, lines: readonly string[]): Promise<readonly GoAnswer[]> {
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  child.stdin.end(`${lines.join('\n')}\n`);
  const code = await ended;
  if (code !== 0) throw new Error(`the oracle ended with code ${code}`);
  const answers = Buffer.concat(chunks).toString().trimEnd().split('\n');
  if (answers.length !== lines.length)
    throw new Error(`the oracle gave ${answers.length} answers to ${lines.length} cases`);
  return answers.map((answer) => JSON.parse(answer) as GoAnswer);
}
