import { posix, relative, resolve } from 'node:path';
import {
  type AdoptDiagnostic,
  type FormatWriter,
  filesOfTool,
  READING_TOOLS,
  WRITERS,
  whyUnread,
  writerOf,
} from '@cuebook/adopt';
import { type Files, openFolder } from '@cuebook/files';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../command.js';
import { exportCase } from '../export/case.js';
import { type ExportEntry, LOCK_FILE, readLock, writeLock } from '../export/lock.js';
import { placeProblems } from '../export/place.js';
import { type PlannedExport, planExport, type Wanted } from '../export/plan.js';
import { type ExportTarget, exportTarget, settingsFor } from '../export/prompt.js';
import { printOutcome } from '../export/report.js';
import { mergedEntries, writeExport } from '../export/write.js';
import { exitFor, Failure, usage } from '../failure.js';
import { oneOf } from '../input/one-of.js';
import { readPairs, textReader } from '../input/pairs.js';
import { problemLine, type ShownDiagnostic } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { type Bench, openBench } from '../project/bench.js';
import { homeFolder } from '../project/home.js';
import { requireFile } from '../project/named-file.js';
import { findCases } from '../prompt-test/find-cases.js';

/** `cuebook export`: prompts as files of other tools, with a list of what was written, so that no hand edit is lost. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const args = [...new Set(call.args)];
  const bench = await openBench(flags, io);
  const files = requireFile(await openFolder(bench.folder), 'the project');
  const entries = await readLock(files);
  const format = flagValue(flags, 'to');
  if (args.length === 0) {
    if (format !== undefined) throw usage(`Name what to export: ${hint`export TARGET --to ${format}`}`);
    // Nothing to check is up to date: a hook or CI asks in every project.
    if (entries.length === 0 && !isOn(flags, 'check'))
      throw usage(
        `Nothing was exported yet. Name a target and a format: ${hint`export sheet:NAME --to agents-md`}`,
      );
    return exportAll(call, await again(bench, files, entries), { bench, files, entries });
  }
  const writer = writerOf(format ?? '');
  if (writer === undefined) {
    const formats = WRITERS.map(({ id }) => id);
    const problem = format === undefined ? 'Name a format with --to' : `No format is called "${format}"`;
    throw usage(`${problem}. ${oneOf(format ?? '', formats)}`);
  }
  const out = flagValue(flags, 'out');
  if (args.length > 1 && out !== undefined) throw usage('--out names one file, so it goes with one target');
  const set = await readPairs('set', flagValues(flags, 'set'), textReader(io));
  if (!writer.isPlaced && out === undefined) return printTexts(call, bench, writer, args, set);
  const path = placeOf(out, bench.folder, io.cwd);
  const tools = toolsOf(flagValue(flags, 'for'));
  const wanted = await Promise.all(
    args.map(async (target) => {
      const own = args.length === 1 ? set : await settingsFor(bench, target, set);
      return want(bench, { target, writer, set: own, path }, entries);
    }),
  );
  const strange = Object.keys(set).find(
    (name) => args.length > 1 && !wanted.some((each) => name in each.set),
  );
  if (strange !== undefined) throw usage(`None of the targets takes the input "${strange}"`);
  const planned = await planAll(files, wanted);
  const unread = await unreadBy(tools, planned, files);
  const diagnostics = [...wanted.flatMap((each) => each.diagnostics), ...unread];
  return exportAll(call, { planned, diagnostics }, { bench, files, entries });
};

function toolsOf(given = ''): readonly string[] {
  const tools = given.split(',').map((tool) => tool.trim());
  const strange = given === '' ? undefined : tools.find((tool) => !READING_TOOLS.includes(tool));
  if (strange !== undefined)
    throw usage(`--for takes tools: ${READING_TOOLS.join(', ')}. "${strange}" is not among them`);
  return given === '' ? [] : tools;
}

/** Which of the named tools will not read a file, or not all of it: by what is in the repository after the export. */
async function unreadBy(
  tools: readonly string[],
  planned: readonly PlannedExport[],
  files: Files,
): Promise<readonly AdoptDiagnostic[]> {
  const there = new Set(planned.flatMap(({ path, text }) => (text === undefined ? [] : [path])));
  for (const path of new Set(tools.flatMap(filesOfTool))) {
    const found = await files.exists(path);
    if (found.ok && found.value) there.add(path);
  }
  const isThere = (path: string): boolean => there.has(path);
  return planned.flatMap(({ path, text = '' }) =>
    tools.flatMap((tool): readonly AdoptDiagnostic[] => {
      const message = whyUnread(tool, { path, text, isThere });
      return message === undefined
        ? []
        : [{ code: 'E_EXPORT_UNREAD', severity: 'error', file: path, message }];
    }),
  );
}

function placeOf(out: string | undefined, folder: string, cwd: string): string | undefined {
  if (out === undefined) return undefined;
  const path = relative(folder, resolve(cwd, out)).replaceAll('\\', '/');
  if (path === '' || path.startsWith('../') || posix.isAbsolute(path))
    throw usage(`--out ${out} is not in the project, so nothing could tell later whether it is up to date`);
  return path;
}

/** A target for a writer, with the cases that are kept about it where the format has tests. */
async function composedFor(
  bench: Bench,
  writer: FormatWriter,
  target: string,
  set: Readonly<Record<string, string>>,
): Promise<ExportTarget> {
  const composed = await exportTarget(bench, target, set, writer);
  if (!composed.ok || writer.hasCases !== true) return composed;
  const wanted = { named: [target], filter: undefined, folder: bench.folder, cwd: bench.folder };
  const { cases, diagnostics } = await findCases(bench.files, wanted);
  // A file of cases that cannot be read may be about this target.
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const made = await Promise.all(cases.map((each) => exportCase(bench, each, set)));
  return { ok: true, value: { ...composed.value, cases: made } };
}

interface Wish {
  readonly target: string;
  readonly writer: FormatWriter;
  readonly set: Readonly<Record<string, string>>;
  readonly path?: string | undefined;
}

/** What one target is to become, and what there is to say about it. */
async function want(bench: Bench, { target, writer, set, path }: Wish, entries: readonly ExportEntry[]) {
  const composed = await composedFor(bench, writer, target, set);
  const base = { target, format: writer.id, set };
  const entryFor = (at: string | undefined) =>
    entries.find(
      (each) => each.target === target && each.format === writer.id && (at === undefined || each.path === at),
    );
  if (!composed.ok)
    return {
      ...base,
      file: undefined,
      entry: entryFor(path),
      source: undefined,
      diagnostics: composed.diagnostics as readonly ShownDiagnostic[],
      isFailed: true,
    };
  const { file, diagnostics } = writer.write(composed.value);
  const placed = file === undefined ? undefined : { ...file, path: path ?? file.path };
  const { meta } = composed.value;
  return {
    ...base,
    file: placed,
    entry: entryFor(placed?.path),
    source: writer.isPlaced ? sourceIn(meta) : undefined,
    diagnostics: diagnostics as readonly ShownDiagnostic[],
    isFailed: placed === undefined,
  };
}

/** The file that a sheet was imported from. */
function sourceIn({ source }: Readonly<Record<string, unknown>>): Wanted['source'] {
  if (typeof source !== 'object' || source === null || !('file' in source) || !('sha256' in source))
    return undefined;
  const { file, sha256 } = source;
  return typeof file === 'string' && typeof sha256 === 'string' ? { path: file, sha256 } : undefined;
}

const planAll = async (
  files: Files,
  wanted: readonly Awaited<ReturnType<typeof want>>[],
): Promise<readonly PlannedExport[]> => {
  const planned: PlannedExport[] = [];
  for (const each of wanted) if (!each.isFailed) planned.push(await planExport(files, each));
  return planned;
};

/** Everything that was exported before, composed anew. What comes from a target that is gone goes. */
async function again(bench: Bench, files: Files, entries: readonly ExportEntry[]) {
  const planned: PlannedExport[] = [];
  const diagnostics: ShownDiagnostic[] = [];
  for (const entry of entries) {
    const writer = writerOf(entry.format);
    if (writer === undefined)
      throw new Failure(
        'E_EXPORT_LOCK',
        `${LOCK_FILE} names the format ${JSON.stringify(entry.format)}, which is not known`,
        { exit: 1 },
      );
    const set = entry.set ?? {};
    const wanted = await want(bench, { target: entry.target, writer, set, path: entry.path }, entries);
    const isGone = wanted.isFailed && wanted.diagnostics.some(({ code }) => code === 'E_TARGET');
    if (isGone) planned.push(await planExport(files, { ...wanted, file: undefined, entry }));
    else if (wanted.isFailed) diagnostics.push(...wanted.diagnostics);
    else planned.push(await planExport(files, { ...wanted, entry }));
    if (!isGone && !wanted.isFailed)
      diagnostics.push(...wanted.diagnostics.filter(({ severity }) => severity !== 'info'));
  }
  return { planned, diagnostics };
}

interface Work {
  readonly planned: readonly PlannedExport[];
  readonly diagnostics: readonly ShownDiagnostic[];
}

interface Place {
  readonly bench: Bench;
  readonly files: Files;
  readonly entries: readonly ExportEntry[];
}

async function exportAll(
  call: Call,
  { planned, diagnostics }: Work,
  { bench, files, entries }: Place,
): Promise<number> {
  const { flags } = call;
  const isCheck = isOn(flags, 'check');
  const isOver = isOn(flags, 'overwrite');
  const found: ShownDiagnostic[] = [
    ...diagnostics,
    ...(await placeProblems(files, planned, entries)),
    ...planned.flatMap((each) => problemsOf(each, { isCheck, isOver })),
  ];
  const hasErrors = found.some(({ severity }) => severity === 'error');
  const isWritten = !isCheck && !hasErrors;
  const kept: string[] = [];
  if (isWritten) {
    // Two regions of one file: each is planned again on what the one before it wrote.
    const place = { files, home: homeFolder(bench.folder, call.io), entries };
    for (const each of planned) kept.push(...(await writeExport(place, each)));
    await writeLock(files, mergedEntries(entries, planned));
  }
  await printOutcome(call, { planned, found, isWritten, kept, folder: bench.folder });
  return exitOf(found);
}

function problemsOf(
  each: PlannedExport,
  { isCheck, isOver }: { readonly isCheck: boolean; readonly isOver: boolean },
): readonly AdoptDiagnostic[] {
  const { path, state, isEdited, isSourceChanged } = each;
  const double: readonly AdoptDiagnostic[] = each.isDouble
    ? [
        {
          code: 'W_EXPORT_READERS',
          severity: 'warning',
          file: path,
          message: `The file holds the text of ${each.target} a second time, outside of the marked region: remove it there`,
        },
      ]
    : [];
  const marked: readonly AdoptDiagnostic[] =
    each.isMarked && !isCheck
      ? [
          {
            code: 'W_EXPORT_READERS',
            severity: 'info',
            file: path,
            message: `The text of ${each.target} was in the file already. It stays in its place, and is marked as exported`,
          },
        ]
      : [];
  const replaced: readonly AdoptDiagnostic[] =
    each.isSource && !isCheck
      ? [
          {
            code: 'W_EXPORT_READERS',
            severity: 'info',
            file: path,
            message: `${each.target} was imported from this file, and nobody changed the file since: its text is replaced by that of the sheet`,
          },
        ]
      : [];
  const both = isSourceChanged ? ', and the source changed, too' : '';
  if (isEdited && (isCheck || !isOver))
    return [
      {
        code: 'E_EXPORT_EDITED',
        severity: 'error',
        file: path,
        message:
          state === 'new'
            ? `The lines that mark the text of ${each.target} in this file were changed or removed. The file was left as it is: put the lines back, or write the text again with --overwrite`
            : `The file holds text that export did not write there${both}. It was left as it is: move the change to the source, or replace it with --overwrite`,
      },
    ];
  if (!isCheck || state === 'same') return [...double, ...marked, ...replaced];
  return [
    ...double,
    {
      code: 'E_EXPORT_DRIFT',
      severity: 'error',
      file: path,
      message: `${DRIFT[state]} (${each.target} as ${each.format})`,
    },
  ];
}

const DRIFT = {
  new: 'The text is not in the file yet; the next export writes it',
  changed: 'The source is newer than the file; the next export writes it',
  gone: 'The file was exported and is missing; the next export writes it again',
  remove: 'The target no longer exists; the next export removes its text',
} as const;

/** Formats that no tool looks for at a place are printed. */
async function printTexts(
  { flags, io }: Call,
  bench: Bench,
  writer: FormatWriter,
  targets: readonly string[],
  set: Readonly<Record<string, string>>,
): Promise<number> {
  const made: { readonly target: string; readonly text: string }[] = [];
  const found: ShownDiagnostic[] = [];
  for (const target of targets) {
    const composed = await composedFor(bench, writer, target, set);
    if (!composed.ok) found.push(...composed.diagnostics);
    else {
      const { file, diagnostics } = writer.write(composed.value);
      found.push(...diagnostics);
      if (file !== undefined) made.push({ target, text: file.text });
    }
  }
  const ok = !found.some(({ severity }) => severity === 'error');
  if (isOn(flags, 'json')) await printJson(io, { ok, texts: made, diagnostics: found });
  else {
    for (const diagnostic of found) io.err(problemLine(io, 'err', diagnostic));
    for (const { text } of made) await io.out(text);
  }
  return exitOf(found);
}

const exitOf = (found: readonly ShownDiagnostic[]): number =>
  exitFor(found.flatMap((each) => (each.severity === 'error' ? [{ ...each, severity: each.severity }] : [])));
