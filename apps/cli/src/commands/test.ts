import { posix } from 'node:path';
import { openFolder } from '@cuebook/files';
import { type Diagnostic, hasErrors } from '@cuebook/prompt';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { problemLine, uniqueDiagnostics } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { styleFor } from '../output/style.js';
import { type Bench, openBench } from '../project/bench.js';
import { requireFile } from '../project/named-file.js';
import { openDesk } from '../prompt-test/desk.js';
import { type FoundCases, findCases } from '../prompt-test/find-cases.js';
import { documentOf, type SnapshotCount } from '../prompt-test/report/document.js';
import { junitReport } from '../prompt-test/report/junit.js';
import { summary, textReport } from '../prompt-test/report/text.js';
import type { CaseResult } from '../prompt-test/run-case.js';
import { runCases } from '../prompt-test/run-cases.js';
import { openBook, type SnapshotBook } from '../prompt-test/snapshot/book.js';
import { replaceNamedFile } from '../record/named-output.js';

/** `cuebook test`: the cases kept beside prompts. Exit code 1 when one is not as expected. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const jobs = readJobs(flagValue(flags, 'jobs'));
  const bench = await openBench(flags, io);
  const wanted = { named: args, filter: flagValue(flags, 'filter'), folder: bench.folder, cwd: io.cwd };
  const found = await findCases(bench.files, wanted);
  if (found.cases.length === 0 && found.diagnostics.length === 0) throw nothingToTest(args.length > 0);
  const { books, diagnostics } = await openBooks(bench, found, isOn(flags, 'update'));
  const cases = found.cases.filter(({ file }) => books.has(file));
  const { desk, close } = await openDesk(call, bench, books);
  const progress = progressOn(call, cases.length);
  try {
    const results = await runCases(desk, cases, { jobs, onDone: progress });
    progress(undefined);
    const snapshots = await keepSnapshots(bench, books, found);
    const said = uniqueDiagnostics(results.flatMap(({ hooks }) => hooks));
    return await report(call, {
      results,
      diagnostics: [...found.diagnostics, ...diagnostics, ...said],
      snapshots,
    });
  } finally {
    await close();
  }
};

function readJobs(text: string | undefined): number {
  if (text === undefined) return DEFAULT_JOBS;
  if (!/^[1-9]\d?$/.test(text)) throw usage('--jobs takes a number from 1 to 99');
  return Number(text);
}

const DEFAULT_JOBS = 8;

const nothingToTest = (isNamed: boolean): Failure =>
  new Failure(
    'E_TEST_NONE',
    isNamed
      ? 'No case fits what the call names'
      : 'No cases were found: write them beside a prompt, in agents/prompts/NAME.test.yaml, or in tests/',
  );

async function openBooks(bench: Bench, { cases }: FoundCases, update: boolean) {
  const books = new Map<string, SnapshotBook>();
  const diagnostics: Diagnostic[] = [];
  for (const file of new Set(cases.map((test) => test.file))) {
    const book = await openBook(bench.files, file, { update });
    if ('severity' in book) diagnostics.push(book);
    else books.set(file, book);
  }
  return { books, diagnostics };
}

/** Writes snapshots that changed. Those that nobody asked for go when all cases of the file ran. */
async function keepSnapshots(
  { folder }: Bench,
  books: ReadonlyMap<string, SnapshotBook>,
  { isWhole }: FoundCases,
): Promise<SnapshotCount> {
  const written: string[] = [];
  const unused: string[] = [];
  for (const book of books.values()) {
    const text = book.changed({ dropUnused: isWhole });
    if (text === undefined) {
      if (isWhole) unused.push(...book.unused().map((key) => `${book.path}: ${key}`));
      continue;
    }
    const files = requireFile(await openFolder(folder), folder);
    if (text === '') {
      requireFile(await files.remove(book.path), book.path);
      continue;
    }
    const directory = posix.dirname(book.path);
    if (!(await files.stat(directory)).ok) requireFile(await files.makeDirectory(directory), directory);
    requireFile(await files.writeText(book.path, text), book.path);
    written.push(book.path);
  }
  return { written, unused };
}

interface Outcome {
  readonly results: readonly CaseResult[];
  readonly diagnostics: readonly Diagnostic[];
  readonly snapshots: SnapshotCount;
}

async function report({ flags, io }: Call, { results, diagnostics, snapshots }: Outcome): Promise<number> {
  const document = documentOf(results, diagnostics, snapshots);
  const file = flagValue(flags, 'junit');
  if (file !== undefined) {
    await replaceNamedFile(io, file, new TextEncoder().encode(junitReport(results, diagnostics)));
  }
  if (isOn(flags, 'json')) await printJson(io, document);
  else {
    const style = styleFor(io, 'out');
    await io.out(textReport(results, { style, isTerminal: io.terminal.out }));
    for (const diagnostic of diagnostics) io.err(problemLine(io, 'err', diagnostic));
    for (const path of snapshots.written) await io.out(`${style.dim(`written: ${path}`)}\n`);
    for (const key of snapshots.unused)
      await io.out(`${style.dim(`no case asks for this snapshot: ${key}`)}\n`);
    await io.out(
      `${summary(results, style)}${hasErrors(diagnostics) ? style.red(', and files that cannot be read') : ''}\n`,
    );
  }
  return document.ok ? 0 : 1;
}

/** How far it is, on a terminal; without a number the line is wiped off. */
function progressOn({ io, flags }: Call, all: number): (done: number | undefined) => void {
  if (!io.terminal.err || isOn(flags, 'json')) return () => undefined;
  return (done) => io.err(done === undefined ? '\r\u001b[K' : `\r${done}/${all}`);
}
