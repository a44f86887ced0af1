import { type Files, openFolder } from '@cuebook/files';

import { type Diagnostic, nearest } from '@cuebook/prompt';
import { commandLine, hint } from '@cuebook/prompt/hint';
import {
  edgeScopeOf,
  findRoles,
  loadRole,
  type RoleTemplate,
  roleFile,
  SHIPPED_ROLES,
} from '@cuebook/team/profiles';
import { type Call, type CommandHandler, isOn } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import { typed } from '../hint/typed.js';
import { addFiles } from '../init/add.js';
import { unknownAction } from '../input/one-of.js';
import { problemLine } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { screenText, styleFor } from '../output/style.js';
import { openBench } from '../project/bench.js';
import { requireFile } from '../project/named-file.js';

/** `cuebook roles [ACTION]`: the role templates of teams as they are read, and shipped ones as files to start from. */
export const run: CommandHandler = async (call) => {
  const [action = 'list', ...names] = call.args;
  if (action === 'list' && names.length === 0) return list(call);
  if (action === 'show' && names.length === 1) return show(call, names[0] ?? '');
  if (action === 'write') return write(call, names);
  if (ACTIONS.includes(action))
    throw usage(`${hint`roles show NAME`} shows one role, ${hint`roles`} lists all`);
  throw unknownAction(action, ACTIONS);
};

const ACTIONS = ['list', 'show', 'write'];

/** A role as far as it can be read. */
interface Read {
  readonly name: string;
  readonly role: RoleTemplate | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

async function readAll({ files }: { readonly files: Files }): Promise<readonly Read[]> {
  const read: Read[] = [];
  for (const name of await findRoles(files)) {
    const loaded = await loadRole(files, name);
    read.push({ name, role: loaded.ok ? loaded.value : undefined, diagnostics: loaded.diagnostics });
  }
  return read;
}

async function list(call: Call): Promise<number> {
  const { flags, io } = call;
  const roles = await readAll(await openBench(flags, io, []));
  const isBad = roles.some(({ role }) => role === undefined);
  if (isOn(flags, 'json')) {
    await printJson(io, { roles: roles.map(viewOf) });
    return isBad ? 1 : 0;
  }
  const style = styleFor(io, 'out');
  for (const { name, role, diagnostics } of roles) {
    if (role !== undefined) await io.out(`${style.bold(name)}  ${preambleText(role)}\n`);
    for (const diagnostic of diagnostics) await io.out(problemLine(io, 'out', diagnostic));
  }
  await io.out(style.dim(`${typed(io, commandLine`roles write NAME`)}   a shipped one as a file of yours\n`));
  return isBad ? 1 : 0;
}

async function show({ flags, io }: Call, name: string): Promise<number> {
  const { files } = await openBench(flags, io, []);
  const loaded = await loadRole(files, name);
  if (!loaded.ok) throw diagnosed(loaded.diagnostics);
  const { value: role, diagnostics } = loaded;
  if (isOn(flags, 'json')) await printJson(io, { ...viewOf({ name, role, diagnostics }), text: role.text });
  else {
    const style = styleFor(io, 'out');
    const rows: readonly (readonly [string, string])[] = [
      ['role', role.name],
      ['version', role.version || 'none'],
      ['from', role.source === 'shipped' ? 'shipped with Cuebook' : role.file],
      ['can', role.capabilities.join(', ') || 'nothing declared'],
      ['edges', edgeScopeOf(role)],
      ['must', role.constraints.join(', ') || 'nothing declared'],
    ];
    for (const [key, value] of rows)
      await io.out(`${style.dim(key.padEnd(9))}${screenText(value, io.terminal.out)}\n`);
    for (const diagnostic of diagnostics) await io.out(problemLine(io, 'out', diagnostic));
    await io.out(`\n${screenText(role.text, io.terminal.out)}`);
  }
  return 0;
}

/** Shipped templates as files of the repository. What is there stays as it is. */
async function write({ flags, io }: Call, names: readonly string[]): Promise<number> {
  const shipped: Readonly<Record<string, string>> = SHIPPED_ROLES;
  const unknown = names.find((name) => !Object.hasOwn(shipped, name));
  if (unknown !== undefined) {
    const near = nearest(unknown, Object.keys(shipped));
    const advice =
      near === undefined ? `There are ${Object.keys(shipped).join(', ')}` : `Did you mean ${near}?`;
    throw new Failure('E_ROLE_UNKNOWN', `No shipped role is called "${unknown}". ${advice}`);
  }
  const { folder } = await openBench(flags, io, []);
  const wanted = names.length === 0 ? Object.keys(shipped) : [...new Set(names)];
  const files = requireFile(await openFolder(folder), '.');
  const template = Object.fromEntries(wanted.map((name) => [roleFile(name), shipped[name] ?? '']));
  const added = await addFiles(files, template);
  if (isOn(flags, 'json')) await printJson(io, added);
  else {
    const style = styleFor(io, 'out');
    for (const path of added.created) await io.out(`${style.green('+')} ${path}\n`);
    for (const path of added.same) await io.out(`= ${path}  ${style.dim('is as it is shipped')}\n`);
    for (const path of added.kept)
      await io.out(`${style.yellow('=')} ${path}  ${style.dim('is there already, and stays as it is')}\n`);
  }
  return 0;
}

const viewOf = ({ name, role, diagnostics }: Read) => ({
  name,
  ...(role === undefined
    ? {}
    : {
        version: role.version,
        source: role.source,
        file: role.file,
        capabilities: role.capabilities,
        constraints: role.constraints,
        edges: edgeScopeOf(role),
      }),
  diagnostics,
});

const preambleText = ({ version, source, file, capabilities, constraints }: RoleTemplate): string =>
  [
    version === '' ? 'no version' : `version ${version}`,
    source === 'shipped' ? 'shipped' : file,
    `can ${capabilities.join(', ') || 'nothing declared'}`,
    `must ${constraints.join(', ') || 'nothing declared'}`,
  ].join(' · ');
