import { relative } from 'node:path';
import {
  type AdoptDiagnostic,
  type ImportDraft,
  labelInputs,
  printFiles,
  READERS,
  readerOf,
} from '@cuebook/adopt';
import { type Files, openFolder } from '@cuebook/files';
import { nearest } from '@cuebook/prompt';
import { commandLine, hint, shellWord } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, type Flags, flagValue, flagValues, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { typed } from '../hint/typed.js';
import { exportedFrom } from '../import/exported.js';
import { findImportable, type Importable, nameElsewhere, readerFor } from '../import/find.js';
import { readerByName } from '../import/passed.js';
import { type NamedSource, readSources } from '../import/read.js';
import { exitOfImport, printReport } from '../import/report.js';
import { findStoredPrompts } from '../import/stored-prompts.js';
import { askedTrust, trustOf } from '../import/trust.js';
import { conflicts, planFiles, writePlanned } from '../import/write.js';
import { readPairs, textReader } from '../input/pairs.js';
import { readStdin } from '../input/stdin.js';
import { isAtTerminal } from '../io.js';
import { problemLine, sortDiagnostics } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { styleFor } from '../output/style.js';
import { projectOrHere } from '../project/find.js';
import { homeFolder } from '../project/home.js';
import { namedPath, requireFile } from '../project/named-file.js';

/** `cuebook import`: prompts of other tools become sheets. Nothing is changed silently, and no file is written over. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const folder = await projectOrHere(flags, io);
  const files = requireFile(await openFolder(folder), 'the project');
  const server = flagValue(flags, 'server');
  if (server !== undefined) {
    const reader = readerOf('mcp');
    if (reader === undefined || args.length > 1 || (args[0] ?? 'mcp') !== 'mcp')
      throw usage('--server goes with the format mcp, and without a file');
    const { askServer } = await import('../import/mcp-server.js');
    const asked = [{ reader, file: await askServer(server, io) }];
    return take(call, { sources: asked, passed: [] }, files, folder);
  }
  if (args.length === 0) return list(call, files, folder);
  const [first = '', ...rest] = args;
  const reader = readerOf(first);
  const named = reader === undefined ? args : rest;
  const places = named.length === 0 ? ['.'] : named;
  const sources: NamedSource[] = [];
  const passed: AdoptDiagnostic[] = [];
  for (const place of places) {
    const at = await sourcesAt(call, place, folder, reader?.id);
    sources.push(...at.sources);
    passed.push(...at.passed);
  }
  if (sources.length === 0 && reader?.id === 'mcp')
    throw usage(
      `Name the program that is the MCP server: ${hint`import mcp --server COMMAND`}; or a file of its answers`,
    );
  if (sources.length === 0)
    throw new Failure(
      'E_IMPORT_SOURCE',
      `Nothing at ${places.join(', ')} can be imported${reader === undefined ? '' : ` as ${reader.id}`}. ${hint`import`} lists what is found here.`,
    );
  return take(call, { sources, passed }, files, folder);
};

/** What is here that could be taken over; nothing is written. */
async function list(call: Call, files: Files, folder: string): Promise<number> {
  const { flags, io } = call;
  const { found, passed } = await findImportable(files);
  const calls = await findStoredPrompts(agentView(files, folder, io));
  if (isOn(flags, 'json')) {
    const line = ({ path, reader }: Importable) => ({ path, source: reader.id });
    const sources = READERS.map(({ id, title }) => ({ id, title }));
    await printJson(io, { found: found.map(line), passed, calls, sources });
    return 0;
  }
  if (calls.length > 0) {
    await io.out('These places use prompts that OpenAI stores. They stop working on 2026-11-30:\n');
    for (const { path, line, id } of calls) await io.out(`  ${path}:${line}  ${id}\n`);
    await io.out('Copy each prompt to a file, then import it. The form of the file: docs/user/import.md\n');
    await io.out(`  ${typed(io, commandLine`import openai FILE`)}\n\n`);
  }
  if (found.length === 0) {
    for (const each of passed) await io.out(problemLine(io, 'out', each));
    if (calls.length > 0) return 0;
    await io.out('Nothing here is of a format that can be imported. These are:\n');
    for (const { id, title } of READERS) await io.out(`  ${id.padEnd(14)} ${title}\n`);
    await io.out(`\nTo import a file from elsewhere:\n  ${typed(io, commandLine`import FILE`)}\n`);
    await io.out(`To start with an example project:\n  ${typed(io, commandLine`init my-desk`)}\n`);
    return 0;
  }
  const style = styleFor(io, 'out');
  const width = Math.max(...found.map(({ path }) => path.length));
  const { sources: all } = await sourcesAt(call, '.', folder, undefined);
  const own = new Map((await exportedOf(all, files)).map(({ path, targets }) => [path, targets]));
  for (const { path, reader } of found) {
    const targets = own.get(path);
    const note = targets === undefined ? reader.id : `exported from ${targets.join(', ')}`;
    await io.out(`${path.padEnd(width)}  ${style.dim(note)}\n`);
  }
  if (passed.length > 0) await io.out('\n');
  for (const each of passed) await io.out(problemLine(io, 'out', each));
  const ids = [...new Set(found.map(({ reader }) => reader.id))];
  const fresh = all.filter(({ file }) => !own.has(file.path));
  const [flagsNeeded = ''] = await neededTrust(call, fresh, files, folder);
  await io.out('\nNothing was written. Import everything:\n');
  const everything = typed(io, commandLine`import .`);
  const isAsked = flagsNeeded !== '' && isAtTerminal(io);
  if (isAsked) await io.out(`  ${everything}\n    you are asked who can write each input\n`);
  await io.out(`  ${everything}${flagsNeeded}\n${MEANINGS[flagsNeeded] ?? ''}`);
  await io.out('Or a kind, or one file:\n');
  for (const id of ids) await io.out(`  ${typed(io, commandLine`import ${id}`)}\n`);
  const [one] = found;
  if (one !== undefined) await io.out(`  ${typed(io, commandLine`import ${shellWord(one.path)}`)}\n`);
  return 0;
}

/**
 * The first flags with which an import of everything knows who can write each input. None where no prompt has an input;
 * otherwise users, whose text is fenced.
 */
async function neededTrust(
  call: Call,
  sources: readonly NamedSource[],
  files: Files,
  folder: string,
): Promise<readonly string[]> {
  return trustFlags(await readSources(sources, howOf(call.flags), agentView(files, folder, call.io)));
}

const trustFlags = (read: ImportDraft): readonly string[] =>
  TRUST_FLAGS.filter((line) => {
    const choice = {
      byName: new Map<string, string>(),
      systemToUser: line.includes('--system-to-user'),
      ...(line === '' ? {} : { all: 'user' }),
    };
    return labelInputs(read, choice).diagnostics.every(({ code }) => code !== 'E_IMPORT_TRUST');
  });

const MEANINGS: Readonly<Record<string, string>> = {
  '': '',
  ' --trust user': '    users can write the inputs: values are fenced\n',
  ' --trust user --system-to-user':
    '    users can write the inputs: values are fenced, and a system message with\n    one becomes a user message\n',
};
const TRUST_FLAGS = Object.keys(MEANINGS);

/** What an imported file names is read as an agent may read: no keys, environment files or state. */
const agentView = (files: Files, folder: string, io: Call['io']): Files =>
  files.withhold({ from: 'agent', home: homeFolder(folder, io) });

/** The format that a word without a file is meant to be. */
const nearestOf = (word: string): string | undefined =>
  nearest(
    word,
    READERS.map(({ id }) => id),
  );

/** What is imported, and what was not looked at. */
interface Sources {
  readonly sources: readonly NamedSource[];
  readonly passed: readonly AdoptDiagnostic[];
}

/** The sources at a place: a file, standard input, or all of a folder that can be read. */
async function sourcesAt(
  { io }: Call,
  place: string,
  folder: string,
  id: string | undefined,
): Promise<Sources> {
  const named = id === undefined ? undefined : readerOf(id);
  if (place === '-') {
    if (named === undefined)
      throw usage(`Standard input has no name: say its format, as in ${hint`import langfuse -`}`);
    const file = { path: 'standard-input', bytes: Buffer.from(await readStdin(io)) };
    return { sources: [{ reader: named, file }], passed: [] };
  }
  const { disk, path, full } = await namedPath(io.cwd, place);
  const stat = await disk.stat(path);
  const format = stat.ok || named !== undefined ? undefined : nearestOf(place);
  if (format !== undefined)
    throw new Failure('E_FILE_NOT_FOUND', `File not found: ${place}. Did you mean the format ${format}?`);
  const { kind } = requireFile(stat, place);
  const shown = relative(folder, full).replaceAll('\\', '/');
  const isInside = shown !== '' && !shown.startsWith('../');
  if (kind !== 'directory') {
    const name = isInside ? shown : nameElsewhere(path);
    const reader = named ?? (await readerFor(disk, path, name));
    if (reader === undefined)
      throw new Failure(
        'E_IMPORT_SOURCE',
        `${place} is of no format that is known. Say which: ${READERS.map((each) => each.id).join(', ')}`,
      );
    const bytes = requireFile(await disk.readBytes(path), place);
    return { sources: [{ reader, file: { path: name, bytes } }], passed: [] };
  }
  const inside: Files = requireFile(await openFolder(full, { access: 'ro' }), place);
  // Of a folder elsewhere only that of a tool is a part of the names.
  const above = isInside ? shown : shown === '' || !/\/\./.test(`/${path}`) ? '' : nameElsewhere(path);
  const prefix = above === '' ? '' : `${above}/`;
  const look = await findImportable(inside, prefix);
  const found = look.found.filter(({ reader }) => named === undefined || reader === named);
  const sources: NamedSource[] = [];
  for (const { path: below, reader } of found) {
    const name = `${prefix}${below}`;
    sources.push({ reader, file: { path: name, bytes: requireFile(await inside.readBytes(below), name) } });
  }
  // Who imports one format is not told of a link with the name of another.
  const isNamed = ({ file = '' }: AdoptDiagnostic): boolean =>
    named === undefined || (readerByName(file) ?? named) === named;
  return { sources, passed: look.passed.filter(isNamed) };
}

async function take(
  { args, flags, io }: Call,
  { sources, passed }: Sources,
  files: Files,
  folder: string,
): Promise<number> {
  const how = howOf(flags);
  // A name asks for a copy.
  const own = how.name === undefined ? await exportedOf(sources, files) : [];
  const fresh = sources.filter(({ file }) => !own.some(({ path }) => path === file.path));
  const read = await readSources(fresh, how, agentView(files, folder, io));
  const { choice, flags: asked } = await askedTrust(trustOf(flags), read, io);
  const adopted: ImportDraft = labelInputs(read, choice);
  const refused = adopted.diagnostics.some(({ code }) => code === 'E_IMPORT_TRUST');
  const compared = isOn(flags, 'verify')
    ? await (await import('../import/verify.js')).verifySources(
        fresh,
        read,
        await readPairs('set', flagValues(flags, 'set'), textReader(io)),
        folder,
      )
    : [];
  const planned = refused ? [] : await planFiles(files, printFiles(adopted));
  const inTheWay = conflicts(planned, isOn(flags, 'update'));
  const differs = compared.some(({ severity }) => severity === 'error');
  const isWritten = !refused && !differs && inTheWay.length === 0 && !isOn(flags, 'dry-run');
  if (isWritten) await writePlanned(files, planned);
  const report = {
    planned,
    diagnostics: sortDiagnostics([
      ...adopted.diagnostics,
      ...own.map(({ path, targets }) => alreadyOurs(path, targets)),
      ...passed,
      ...compared,
      ...inTheWay,
    ]),
    isWritten,
    sheets: adopted.sheets,
    again: (more: string) =>
      typed(io, commandLine`import`) +
      [...args.map((arg) => ` ${shellWord(arg)}`), givenFlags(flags, more), more].join(''),
    asked,
    wanted: refused && !isAtTerminal(io) ? (trustFlags(read)[0] ?? '') : '',
    accepted: new Set(flagValues(flags, 'accept')),
  };
  await printReport(io, report, { json: isOn(flags, 'json'), sarif: isOn(flags, 'sarif'), folder });
  return exitOfImport(report);
}

/** The files that hold what export wrote into them and nothing else, and the sheets that are their source. */
async function exportedOf(
  sources: readonly NamedSource[],
  files: Files,
): Promise<readonly { readonly path: string; readonly targets: readonly string[] }[]> {
  const targetsOf = await exportedFrom(files);
  const found = await Promise.all(
    sources.map(async ({ file }) => ({ path: file.path, targets: await targetsOf(file) })),
  );
  return found.filter(({ targets }) => targets.length > 0);
}

const alreadyOurs = (file: string, targets: readonly string[]): AdoptDiagnostic => ({
  code: 'W_IMPORT_KEY',
  severity: 'info',
  file,
  line: 1,
  column: 1,
  message: `Nothing to import: the file was exported from ${targets.join(', ')}, and nobody edited it since`,
});

/** The flags of a call as they are typed, without those that `more` gives in full. */
function givenFlags(flags: Flags, more: string): string {
  const isSaid = (name: string): boolean => more.includes(`--${name}`);
  const single = ['server', 'name', 'label', 'version-number', 'first-argument'].flatMap((name) => {
    const value = flagValue(flags, name);
    return value === undefined ? [] : [{ name, value }];
  });
  const repeated = ['trust', 'accept'].flatMap((name) =>
    flagValues(flags, name).map((value) => ({ name, value })),
  );
  const values = [...single, ...repeated].flatMap(({ name, value }) =>
    isSaid(name) ? [] : [` --${name} ${shellWord(value)}`],
  );
  const switches = ['system-to-user', 'all', 'inline'].flatMap((name) =>
    isSaid(name) || !isOn(flags, name) ? [] : [` --${name}`],
  );
  return [...values, ...switches].join('');
}

const SHEET_NAME = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;

function howOf(flags: Flags) {
  const label = flagValue(flags, 'label');
  const version = flagValue(flags, 'version-number');
  const name = flagValue(flags, 'name');
  if (name !== undefined && !SHEET_NAME.test(name))
    throw usage(
      `--name takes letters, digits, dot, dash and underscore, with / between folders; not "${name}"`,
    );
  const first = flagValue(flags, 'first-argument');
  if (first !== undefined && first !== '0' && first !== '1') throw usage('--first-argument takes 0 or 1');
  return {
    ...(name === undefined ? {} : { name }),
    ...(label === undefined ? {} : { label }),
    ...(version === undefined ? {} : { version }),
    ...(first === undefined ? {} : { firstArgument: first === '0' ? (0 as const) : (1 as const) }),
    all: isOn(flags, 'all'),
    inline: isOn(flags, 'inline'),
  };
}
