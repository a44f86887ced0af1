import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM, withHints } from '@cuebook/prompt/hint';
import { onTestFinished } from 'vitest';
import { hintProblem, shellWords } from '../../../test/hints.js';
import { projectIn } from '../src/hint/program.js';
import type { Io } from '../src/io.js';
import { run } from '../src/run.js';
import { typeHint } from './typed.js';

/** What a call printed and how it ended. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  /** Instead of `input`, for streams that misbehave. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Standard input is a terminal when its stream says so. */
  readonly terminal?: Omit<Io['terminal'], 'in'>;
  readonly stop?: AbortSignal;
  /** What starts the command, for the command lines that it tells. */
  readonly program?: string;
  /** Called with everything printed so far, whenever there is more. */
  readonly onPrint?: (stdout: string) => void;
  /** The same for what is told beside it. */
  readonly onTell?: (stderr: string) => void;
}

/** Runs a command in this process, from source: what most tests want. */
export async function cuebook(args: readonly string[], options: CallOptions): Promise<Outcome> {
  const printed = { out: '', err: '' };
  const { cwd, input = '', env = {}, terminal = { out: false, err: false } } = options;
  const out = async (text: string): Promise<void> => {
    printed.out += text;
    options.onPrint?.(printed.out);
  };
  const code = await run(args, {
    cwd,
    env,
    terminal: { ...terminal, in: (options.stdin as { isTTY?: boolean } | undefined)?.isTTY === true },
    stdin: options.stdin ?? chunksOf(typeof input === 'string' ? Buffer.from(input) : input),
    stop: options.stop ?? new AbortController().signal,
    typing: { program: options.program ?? PROGRAM, project: projectIn(args) },
    out,
    exact: out,
    err: (text) => {
      printed.err += text;
      options.onTell?.(printed.err);
    },
  });
  await requireTypeable(printed.out + printed.err, args, options);
  return { code, stdout: printed.out, stderr: printed.err };
}

const typeable = new Set<string>();

/** Whatever a test makes the command print: a command line of ours in it is one that the command takes. */
async function requireTypeable(text: string, args: readonly string[], options: CallOptions): Promise<void> {
  const lines: string[] = [];
  const [, folder = ''] = shellWords(/^ {2}(cd .+)$/m.exec(text)?.[1] ?? '');
  withHints(text, (line) => {
    lines.push(line);
    return line;
  });
  for (const [, line = ''] of text.matchAll(/^ {2}(?:\$ |go on: )?(cuebook [a-z].*?)(?: {2,}.*)?$/gm))
    lines.push(line);
  for (const [, json = ''] of text.matchAll(/"(?:command|next)": ?("cuebook (?:[^"\\]|\\.)*")/g))
    lines.push(JSON.parse(json) as string);
  for (const line of lines) {
    if (typeable.has(line)) continue;
    const problem = await hintProblem(line);
    if (problem !== undefined) throw new Error(`it tells somebody to type what it does not take: ${problem}`);
    typeable.add(line);
    // Pages of help speak of any project.
    if (args[0] !== 'help' && !args.includes('--help'))
      await typeHint(line, { ...options, cwd: join(options.cwd, folder) }, cuebook);
  }
}

/** Small chunks, cut anywhere: a reader must not mind where. */
async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  const size = bytes.length > 100_000 ? 65_536 : 7;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A person accepts a package, as it lies there, for a project. */
export async function acceptPackage(
  named: string,
  { cwd, project, env }: { readonly cwd: string; readonly project: string } & Pick<CallOptions, 'env'>,
): Promise<void> {
  const at = ['--project', project];
  const options = { cwd, ...(env && { env }) };
  const shown = await cuebook(['package', 'show', named, '--json', ...at], options);
  const { hash } = JSON.parse(shown.stdout) as { readonly hash: string };
  const said = await cuebook(['package', 'accept', named, '--hash', hash, '--by', 'ada', ...at], options);
  if (said.code !== 0) throw new Error(said.stderr);
}

/** The command as users start it. */
export const BIN = fileURLToPath(new URL('../bin/cuebook.js', import.meta.url));

/** Runs the built command in a process of its own. */
export function runBuilt(
  args: readonly string[],
  { cwd, input = '', env = {} }: CallOptions,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd, env: { ...process.env, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
    child.stdin.end(input);
  });
}

/** A folder of its own for one test, with these files in it. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-cli-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}
