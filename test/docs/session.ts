import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.js';
import type { Step } from '../transcript.js';
import { workspaces } from '../workspaces.js';
import type { Desk } from './desk.js';

/** What one command of a session wrote (both streams) and its exit code. */
export interface Answer {
  readonly output: string;
  readonly exit: number;
}

/** Record separator: ends each command's output, with the exit code between two. */
const MARK = '\x1e';

/**
 * Runs the steps of one block in one shell, so that `cd` and variables carry on. A block that names
 * `examples/` is run at the top of the clone, any other inside the example project.
 */
export async function runSteps(desk: Desk, steps: readonly Step[]): Promise<readonly Answer[]> {
  const script = steps.map(
    ({ command }) => `{ ${isOnlyNamed(command) ? ':' : command}\n} 2>&1\nprintf '${MARK}%s${MARK}' "$?"\n`,
  );
  const cwd = steps.some(({ command }) => command.includes('examples/')) ? desk.top : desk.project;
  const child = spawn('sh', ['-c', script.join('')], {
    cwd,
    env: desk.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  const fields = Buffer.concat(chunks).toString().split(MARK);
  return steps.map((_, index) => ({
    output: fields[index * 2] ?? '',
    exit: Number(fields[index * 2 + 1] ?? -1),
  }));
}

/** Commands that work on a whole clone or the network: they must exist, and are not run. */
export const isOnlyNamed = (command: string): boolean => /^(?:npm|git clone|cd cuebook)\b/.test(command);

/** Why a command that is only named does not exist, or undefined. */
export function namedProblem(command: string): string | undefined {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [program, verb = '', ...rest] = command.replace(/\s*#.*$/, '').split(/\s+/);
  if (program !== 'npm') return undefined;
  if (verb === 'ci') return undefined;
  if (verb === 'install' || verb === 'i') {
    const names = rest.filter((word) => /^(?:@cuebook\/|cuebook)/.test(word));
    const known = workspaces().map(({ manifest }) => manifest.name);
    return names.every((name) => known.includes(name)) ? undefined : `no such package: ${names.join(' ')}`;
  }
  const script = verb === 'run' ? (rest[0] ?? '') : verb;
  return script in scripts ? undefined : `no such script: ${script}`;
}
