import { describeFileError, type FileResult, type Files, openFolder } from '@cuebook/files';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { runCommand } from '../command/run-command.js';
import type { NodePlace, WorkCall, WorkspaceError } from '../contract.js';
import { DOCS_FOLDER, isBelow, type PathFacts } from '../path.js';
import { HOME_NAME, type WorkspaceGround } from '../place/place.js';
import { pathFacts } from './path-facts.js';

/**
 * Carries out a file or command tool of an agent that has none of its own. Rights are looked at once more, with what
 * the disk says of the path at this moment; the answer is for the agent, bounded and without secrets.
 */
export async function callTool(
  ground: WorkspaceGround,
  at: NodePlace,
  call: WorkCall,
  signal?: AbortSignal,
): Promise<Result<string, WorkspaceError>> {
  const { path = '.', cwd = '.', cmd = '', content = '' } = fieldsOf(call.input);
  const named = call.tool === 'command' ? cwd : path;
  const [place = OUTSIDE] = await pathFacts(ground, at.run, at.node, [named]);
  const denied = reasonAgainst(call, place);
  if (denied !== undefined || place.kind === 'outside') return refuse(denied ?? LEAVES);
  const work: Work = { ground, at, call, place: place.path, signal };
  switch (call.tool) {
    case 'command':
      return command(work, cmd);
    case 'read_file':
      return read(work);
    case 'list_files':
      return list(work);
    case 'write_file':
      return write(work, (files, where) => files.writeText(where, content), 'written');
    case 'delete_file':
      return write(work, (files, where) => files.remove(where), 'deleted');
    default:
      return refuse(`There is no work tool ${JSON.stringify(call.tool.slice(0, 80))}.`);
  }
}

interface Work {
  readonly ground: WorkspaceGround;
  readonly at: NodePlace;
  readonly call: WorkCall;
  /** Where the path leads. */
  readonly place: string;
  readonly signal: AbortSignal | undefined;
}

async function command(
  { ground, at, place, signal }: Work,
  cmd: string,
): Promise<Result<string, WorkspaceError>> {
  const folder = ground.folderOf(at.run, at.node);
  const cwd = place === '.' ? folder : `${folder}/${place}`;
  const timeoutMs = ground.limits.commandMs;
  const end = await runCommand(ground, { folder, cwd, command: cmd, timeoutMs, signal });
  return end.aborted
    ? fail({ code: 'E_WORKSPACE_ABORTED', message: 'The command was ended.' })
    : ok(end.text);
}

async function read({ ground, at, place }: Work): Promise<Result<string, WorkspaceError>> {
  const opened = await openFolder(ground.folderOf(at.run, at.node), { access: 'ro', ...forAgents(ground) });
  const limit = ground.limits.outputBytes;
  const text = opened.ok ? await opened.value.readText(place, { limit }) : opened;
  return text.ok ? ok(ground.redact(text.value)) : refuse(describeFileError(text.error));
}

async function list({ ground, at, place }: Work): Promise<Result<string, WorkspaceError>> {
  const opened = await openFolder(ground.folderOf(at.run, at.node), { access: 'ro', ...forAgents(ground) });
  const found = opened.ok ? await opened.value.list(place, { limit: MAX_LISTED }) : opened;
  if (!found.ok) return refuse(describeFileError(found.error));
  const { entries, truncated, unaddressable } = found.value;
  const names = entries.map(({ name, kind }) =>
    kind === 'directory' ? `${name}/` : kind === 'symlink' ? `${name}@` : name,
  );
  const more = [
    ...(truncated ? [`(only the first ${MAX_LISTED} entries)`] : []),
    ...(unaddressable > 0 ? [`(and ${unaddressable} whose names cannot be spelled)`] : []),
  ];
  return ok(ground.redact([...names, ...more].join('\n') || '(empty)'));
}

/**
 * Writes through a mount that opens only what the node may change, so that a link that appears after the check leads
 * nowhere: documents alone are a root of their own.
 */
async function write(
  { ground, at, call, place }: Work,
  change: (files: Files, where: string) => Promise<FileResult<unknown>>,
  done: string,
): Promise<Result<string, WorkspaceError>> {
  const folder = ground.folderOf(at.run, at.node);
  const isOpen = (kind: 'docs' | 'code') => call.rights.againstWrite({ kind, path: '' }) === undefined;
  const onlyDocs = !isOpen('code') && isBelow(place, DOCS_FOLDER);
  const protect = ['.git', HOME_NAME, ...(isOpen('docs') ? [] : [DOCS_FOLDER])];
  const opened = onlyDocs
    ? await openFolder(`${folder}/${DOCS_FOLDER}`, { create: true, ...forAgents(ground) })
    : await openFolder(folder, { protect, ...forAgents(ground) });
  const where = onlyDocs ? place.slice(DOCS_FOLDER.length + 1) : place;
  const changed = opened.ok ? await change(opened.value, where) : opened;
  return changed.ok ? ok(`${place} ${done}`) : refuse(describeFileError(changed.error));
}

function reasonAgainst({ tool, rights }: WorkCall, place: PathFacts): string | undefined {
  const denied =
    tool === 'command'
      ? rights.againstCommand()
      : tool === 'write_file' || tool === 'delete_file'
        ? rights.againstWrite(place)
        : undefined;
  return denied ?? (place.kind === 'outside' ? LEAVES : undefined);
}

const refuse = (message: string): Result<never, WorkspaceError> =>
  fail({ code: 'E_WORKSPACE_TOOL', message });
const OUTSIDE: PathFacts = { kind: 'outside' };
const LEAVES =
  'The path leads out of the workspace, or to a file that agents do not get: .git, the state of Cuebook, keys, environment files.';
const MAX_LISTED = 2_000;

/** What no agent gets through a file tool, wherever a link leads. */
const forAgents = ({ home }: WorkspaceGround) => ({ withhold: { from: 'agent', home } }) as const;

function fieldsOf(input: JsonValue): Readonly<Partial<Record<'path' | 'cwd' | 'cmd' | 'content', string>>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return {};
  return Object.fromEntries(Object.entries(input).filter(([, value]) => typeof value === 'string'));
}
