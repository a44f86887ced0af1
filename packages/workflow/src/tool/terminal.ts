import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { guard } from '../guard.js';
import type { ToolFiles } from '../mount/tool-files.js';
import type { ToolPolicy } from '../policy/policy.js';
import { failed, fromFileError, type ToolResult } from './result.js';

/** Runs programs for agents whose policy says so. Nothing rejects. */
export interface Terminal {
  run(args: unknown, signal: AbortSignal): Promise<ToolResult>;
}

export interface TerminalInput {
  readonly policy: ToolPolicy['terminal'];
  readonly files: Pick<ToolFiles, 'clean' | 'stat'>;
  /** The real folder of `@project`. It is told to nobody. */
  readonly project: string;
  /** What programs may see of the environment; left out: where programs are found, and the language. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const isPlain = (text: string): boolean => !text.includes('\0');

const args = z.strictObject({
  command: z.string().min(1).max(200),
  args: z.array(z.string().max(100_000).refine(isPlain, 'it has a zero byte')).max(1_000).default([]),
  cwd: z.string().min(1).max(4096).default('@project'),
  timeoutMs: z.int().min(1).optional(),
});

/** A name that is looked for where programs are; never a path, and no shell reads it. */
const BARE_NAME = /^[A-Za-z0-9][\w.+-]*$/;

/**
 * `terminal.run`: a program, without a shell, in a folder of the project. Time and output are bounded, and it ends
 * with everything that it started. It is not confined: what it does to files no mount sees, which is why it is off
 * unless the operator turns it on.
 */
export function createTerminal({ policy, files, project, env = process.env }: TerminalInput): Terminal {
  return {
    async run(given, signal) {
      const parsed = args.safeParse(given);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const what = `${issue?.path.join('.') || 'the arguments'}: ${issue?.message ?? 'wrong'}`;
        return failed('E_INVALID_ARGS', `${what}. terminal.run takes { command, args?, cwd?, timeoutMs? }`);
      }
      const { command, cwd, timeoutMs = policy.timeoutMs } = parsed.data;
      const isAllowed = BARE_NAME.test(command) && (policy.commands?.includes(command) ?? true);
      if (guard('terminal.command', !isAllowed)) return failed('COMMAND_NOT_ALLOWED', refusedCommand(policy));
      const folder = await folderOf(files, project, cwd);
      if (!folder.ok) return folder.result;
      const limit = guard('terminal.time', timeoutMs > policy.timeoutMs) ? policy.timeoutMs : timeoutMs;
      const program = { command, args: parsed.data.args, cwd: folder.path, limit, policy, signal, env };
      // A command line that is too long is refused by the system before anything is started.
      return runProgram(program).catch(() => failed('TOOL_EXEC_FAILED', 'The program could not be started'));
    },
  };
}

const refusedCommand = ({ commands }: ToolPolicy['terminal']): string =>
  commands === undefined
    ? 'A command is the bare name of a program, without a path'
    : `This program may not be run. There are: ${commands.join(', ') || 'none'}`;

type Folder =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly result: ToolResult };

/** The real folder of an alias path. The mount has walked it: no link on the way leads out. */
async function folderOf(files: TerminalInput['files'], project: string, cwd: string): Promise<Folder> {
  const clean = files.clean(cwd);
  if (!clean.ok) return { ok: false, result: fromFileError(clean.error) };
  const inside = /^@project(?:\/(.*))?$/s.exec(clean.value);
  if (guard('terminal.folder', inside === null)) {
    return { ok: false, result: failed('CWD_NOT_ALLOWED', 'A program runs in a folder of @project') };
  }
  const found = await files.stat(clean.value);
  if (!found.ok) return { ok: false, result: fromFileError(found.error) };
  if (found.value.kind !== 'directory') {
    return { ok: false, result: failed('CWD_NOT_ALLOWED', `${clean.value} is not a folder`) };
  }
  return { ok: true, path: join(project, inside?.[1] ?? '') };
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly limit: number;
  readonly policy: ToolPolicy['terminal'];
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

function runProgram({ command, args: words, cwd, limit, policy, signal, env }: Program): Promise<ToolResult> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, [...words], {
      cwd,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that it can be ended with all that it started.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const stdout = collect(child.stdout, policy.maxStdoutBytes);
    const stderr = collect(child.stderr, policy.maxStderrBytes);
    let ended: 'time' | 'stop' | undefined;
    const end = (why: 'time' | 'stop') => {
      ended ??= why;
      endGroup(child.pid);
    };
    const timer = setTimeout(() => end('time'), limit);
    const stop = () => end('stop');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const settle = (result: ToolResult) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(result);
    };
    child.once('error', (thrown: NodeJS.ErrnoException) => {
      settle(
        thrown.code === 'ENOENT'
          ? failed('COMMAND_NOT_FOUND', `There is no program ${command} here`)
          : failed('TOOL_EXEC_FAILED', `The program could not be started (${thrown.code ?? 'unknown'})`),
      );
    });
    child.once('exit', () => {
      // What it left behind may hold the pipes open for ever.
      endGroup(child.pid);
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, LINGER_MS).unref();
    });
    child.once('close', (code, by) => {
      const said = { stdout: stdout.text(), stderr: stderr.text() };
      if (ended === 'time') {
        return settle(failed('EXEC_TIMEOUT', `The program was ended after ${limit} ms`, said));
      }
      if (ended === 'stop') return settle(failed('EXEC_ABORTED', 'The run was stopped', said));
      settle({
        ok: true,
        exitCode: code ?? 128,
        ...(by === null ? {} : { signal: by }),
        ...said,
        ...(stdout.isCut() ? { stdoutTruncated: true } : {}),
        ...(stderr.isCut() ? { stderrTruncated: true } : {}),
        durationMs: Math.round(performance.now() - started),
      });
    });
  });
}

const LINGER_MS = 200;

/** Keeps the beginning and reads the rest away, so that the program is not held up. */
function collect(stream: NodeJS.ReadableStream, max: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  stream.on('data', (chunk: Buffer) => {
    const room = max - size;
    isCut ||= guard('terminal.output', chunk.length > room);
    const kept = isCut ? chunk.subarray(0, Math.max(0, room)) : chunk;
    size += kept.length;
    chunks.push(kept);
  });
  return {
    isCut: () => isCut,
    // Half a character at the cut becomes a replacement mark, never a broken string.
    text: () => new TextDecoder().decode(Buffer.concat(chunks)).toWellFormed(),
  };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') process.kill(pid, 'SIGKILL');
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** No home, no user, no key: what finds programs, and nothing that tells of the machine. */
function environment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SYSTEMROOT', 'PATHEXT'].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), TERM: 'dumb' };
}
