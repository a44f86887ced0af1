import { join } from 'node:path';
import { guard } from '@cuebook/guard';
import { describeFailure, runProgram } from '@cuebook/process';
import { z } from 'zod';
import type { ToolFiles } from '../mount/tool-files.js';
import type { ToolPolicy } from '../policy/policy.js';
import { TOOLS } from '../shipped-texts.js';
import type { ProgramRunner } from './context.js';
import { failed, fromFileError, type WorkflowToolResult } from './result.js';
import { readArgs, type WorkflowTool } from './tool.js';

export interface TerminalInput {
  readonly policy: ToolPolicy['terminal'];
  readonly files: Pick<ToolFiles, 'clean' | 'stat'>;
  /** The real folder of `@project`. It is told to nobody. */
  readonly project: string;
  /** What programs may see of the environment; left out: where programs are found, and the language. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A program, where the operator allows it. Of one that was cut off nobody knows what it did. */
export const terminalTool: WorkflowTool = {
  ...TOOLS.tool('terminal.run'),
  isOn: ({ terminal }) => terminal.enabled,
  run: async ({ terminal, policy, signal = new AbortController().signal }, input) =>
    terminal?.(policy).run(input, signal) ?? failed('TOOL_NOT_AVAILABLE', 'No program can be run here'),
};

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
 * A program, without a shell, in a folder of the project. Time and output are bounded, and it ends
 * with everything that it started. It is not confined: what it does to files no mount sees, which is why it is off
 * unless the operator turns it on.
 */
export function createTerminal({ policy, files, project, env = process.env }: TerminalInput): ProgramRunner {
  return {
    async run(given, signal) {
      const hint = `${terminalTool.name} takes { command, args?, cwd?, timeoutMs? }`;
      const parsed = readArgs(args, given, hint);
      if (!parsed.ok) return parsed.result;
      const { command, cwd, timeoutMs = policy.timeoutMs } = parsed.args;
      const isAllowed = BARE_NAME.test(command) && (policy.commands?.includes(command) ?? true);
      if (guard('terminal.command', !isAllowed)) return failed('COMMAND_NOT_ALLOWED', refusedCommand(policy));
      const folder = await folderOf(files, project, cwd);
      if (!folder.ok) return folder.result;
      const limit = guard('terminal.time', timeoutMs > policy.timeoutMs) ? policy.timeoutMs : timeoutMs;
      const program = { command, args: parsed.args.args, cwd: folder.path, limit, policy, signal, env };
      return runInFolder(program);
    },
  };
}

const refusedCommand = ({ commands }: ToolPolicy['terminal']): string =>
  commands === undefined
    ? 'A command is the bare name of a program, without a path'
    : `This program may not be run. There are: ${commands.join(', ') || 'none'}`;

type Folder =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly result: WorkflowToolResult };

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

async function runInFolder({
  command,
  args: words,
  cwd,
  limit,
  policy,
  signal,
  env,
}: Program): Promise<WorkflowToolResult> {
  const end = await runProgram({
    command,
    args: words,
    cwd,
    env: environment(env),
    signal,
    timeoutMs: limit,
    maxStdoutBytes: policy.maxStdoutBytes,
    maxStderrBytes: policy.maxStderrBytes,
  });
  if (end.failure?.kind === 'missing')
    return failed('COMMAND_NOT_FOUND', `There is no program ${command} here`);
  if (end.failure) return failed('TOOL_EXEC_FAILED', `Not started: ${describeFailure(end.failure)}`);
  const said = { stdout: textOf(end.stdout), stderr: textOf(end.stderr) };
  if (end.ended === 'time') return failed('EXEC_TIMEOUT', `The program was ended after ${limit} ms`, said);
  if (end.ended === 'abort') return failed('EXEC_ABORTED', 'The run was stopped', said);
  return {
    ok: true,
    exitCode: end.code ?? 128,
    ...(end.signal === null ? {} : { signal: end.signal }),
    ...said,
    ...(end.isStdoutCut ? { stdoutTruncated: true } : {}),
    ...(end.isStderrCut ? { stderrTruncated: true } : {}),
    durationMs: end.durationMs,
  };
}

/** Half a character at the cut becomes a replacement mark, never a broken string. */
const textOf = (bytes: Buffer): string => new TextDecoder().decode(bytes).toWellFormed();

/** No home, no user, no key: what finds programs, and nothing that tells of the machine. */
function environment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SYSTEMROOT', 'PATHEXT'].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), TERM: 'dumb' };
}
