import { guard } from '@cuebook/guard';
import { createRedactor, type LeakContext, type RedactionKind, type Redactor } from '@cuebook/prompt';
import { type Call, type CommandHandler, type Flags, flagValue, flagValues, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { isAlias, readContextFile } from '../input/context-file.js';
import { readStdin } from '../input/stdin.js';
import type { Io } from '../io.js';
import { printJson } from '../output/json.js';
import { machineContext, thisMachine } from '../project/machine.js';
import { redactLines } from '../redact/lines.js';

/** `cuebook redact`: standard input without what is private, or nothing at all when some would survive. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const redactor = createRedactor(await readContext(flags, io));
  return isOn(flags, 'jsonl') ? redactLines(redactor, io) : redactWhole(redactor, call);
};

/**
 * All of standard input at once: a private text may span lines, and nothing may be printed before all of it
 * is known to be clean.
 */
async function redactWhole(redactor: Redactor, { flags, io }: Call): Promise<number> {
  const input = await readStdin(io, WHOLE_LIMIT);
  const { text, replacements } = redactor.redactText(input);
  const leaks = redactor.leaks(text);
  if (guard('redact.leak', leaks.length > 0)) {
    const kinds = [...new Set(leaks.map(({ kind }) => kind))].join(', ');
    throw new Failure('E_PROMPT_LEAK', `Nothing was printed: something private would survive (${kinds})`, {
      exit: 1,
    });
  }
  const removed: Record<string, number> = {};
  for (const { kind } of replacements) removed[kind] = (removed[kind] ?? 0) + 1;
  if (isOn(flags, 'json')) await printJson(io, { output: text, removed }, { exact: true });
  else {
    await io.exact(text);
    io.err(removedText(removed));
  }
  return 0;
}

/** A log that is larger is cleaned in parts, or line by line with --jsonl. */
const WHOLE_LIMIT = 64 * 1024 * 1024;

function removedText(removed: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(removed) as [RedactionKind, number][];
  if (kinds.length === 0) return 'Nothing was removed.\n';
  return `Removed: ${kinds.map(([kind, times]) => `${kind} ×${times}`).join(', ')}\n`;
}

/** A context file says all there is; without one the flags add to what this machine calls private. */
async function readContext(flags: Flags, io: Io): Promise<LeakContext> {
  const file = flagValue(flags, 'context');
  const base =
    file === undefined ? machineContext(thisMachine(io.env), undefined) : await readContextFile(io.cwd, file);
  return {
    ...base,
    roots: [...base.roots, ...flagValues(flags, 'root').map(readRoot)],
    private: [...base.private, ...flagValues(flags, 'private').map(notEmpty)],
    names: [...base.names, ...flagValues(flags, 'name').map(notEmpty)],
    public: [...(base.public ?? []), ...flagValues(flags, 'public').map(notEmpty)],
  };
}

function readRoot(text: string): readonly [string, string] {
  const cut = text.indexOf('=');
  const [alias, path] = [text.slice(0, cut), text.slice(cut + 1)];
  if (cut > 0 && isAlias(alias) && path !== '') return [alias, path];
  throw usage('--root takes @ALIAS=PATH, such as @project=/srv/desk');
}

function notEmpty(text: string): string {
  if (text.trim() === '') throw usage('--private, --name and --public want a value that is not empty');
  return text;
}
