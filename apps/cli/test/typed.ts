import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { shellWords } from '../../../test/hints.js';
import type { CallOptions, Outcome } from './cuebook.js';

/** How a command is run in this process. */
type Run = (args: readonly string[], options: CallOptions) => Promise<Outcome>;

/** Commands that stay until they are stopped, or ask a model, whose answers belong to the test. */
const STAYS: ReadonlySet<string> = new Set(['up', 'attach', 'mcp', 'agent', 'run']);

/** Codes that say: what was typed names something that is not there, or is not how the command is called. */
const MISTYPED =
  /\b(?:E_USAGE|E_NO_PROJECT|E_NO_TARGET|E_NO_RUN|E_TARGET|E_APPROVAL_UNKNOWN|[A-Z_]+_NOT_FOUND)\b/;

/** All with `npm run hints`, else every tenth by the seed. */
function isSampled(shape: string): boolean {
  if (process.env.CUEBOOK_HINTS !== undefined) return process.env.CUEBOOK_HINTS === 'all';
  const seed = Number(process.env.CUEBOOK_SEED ?? 0);
  return [...shape].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0, seed) % 10 === 0;
}

const typed = new Set<string>();

/**
 * Types a command line that was printed, as it stands, where it was printed: in a copy of the test's folders as they are
 * at that moment, since the test goes on with its own. Each shape of line once in a process; words in capitals are for
 * the person to put in.
 */
export async function typeHint(line: string, options: CallOptions, run: Run): Promise<void> {
  const words = shellWords(line).slice(1);
  const shape = words.filter((word) => /^-{0,2}[a-z]+$/.test(word)).join(' ');
  const isWhole = words.length > 0 && !words.some((word) => /^[A-Z]{2,}|[:=][A-Z]{2,}/.test(word));
  if (!isWhole || STAYS.has(words[0] as string) || typed.has(shape) || !isSampled(shape)) return;
  typed.add(shape);
  const moved = copyFolders([options.cwd, ...words, ...Object.values(options.env ?? {})]);
  try {
    if (moved.hasServer) return;
    const env = Object.fromEntries(
      Object.entries(options.env ?? {}).map(([name, value]) => [name, value && moved.path(value)]),
    );
    const { code, stderr } = await run(words.map(moved.path), { cwd: moved.path(options.cwd), env });
    expect(MISTYPED.exec(code === 0 ? '' : stderr)?.[0], `${line}\n${stderr}`).toBeUndefined();
  } finally {
    moved.remove();
  }
}

/** Copies of the folders of tests that paths lead into. */
function copyFolders(texts: readonly (string | undefined)[]): {
  readonly path: (text: string) => string;
  readonly hasServer: boolean;
  readonly remove: () => void;
} {
  const root = realpathSync(tmpdir());
  const parts = texts.flatMap((text) =>
    text?.startsWith(root) ? [text.slice(root.length + 1).split('/')[0]] : [],
  );
  const copies = [...new Set(parts)].map((part) => {
    const from = join(root, part as string);
    const to = realpathSync(mkdtempSync(join(root, 'cuebook-typed-')));
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    return { from, to };
  });
  return {
    path: (text) => copies.reduce((moved, { from, to }) => moved.replaceAll(from, to), text),
    hasServer: copies.some(({ to }) =>
      readdirSync(to, { recursive: true }).some((file) => `/${file}`.endsWith('/server.json')),
    ),
    remove: () => {
      for (const { to } of copies) rmSync(to, { recursive: true, force: true });
    },
  };
}
