import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import { type ContentStore, gitFailure } from './store.js';
import { splitZ } from './zero.js';

export interface PatchOptions {
  readonly maxBytes: number;
  /** Only these files, as `spell` shows them. */
  readonly only?: ReadonlySet<string>;
}

export interface Patch {
  /** Unified, as `git apply` takes it; empty when nothing differs. */
  readonly text: string;
  /** Everything that is new, changed or gone; both names of what was renamed. */
  readonly files: readonly string[];
}

/**
 * What differs between two trees. Text that is not UTF-8 stands in it like other binary content, so that the patch is
 * always text and always whole. One past the limit is the list of its files, and says so.
 */
export async function makePatch(
  store: ContentStore,
  before: string,
  after: string,
  { maxBytes, only }: PatchOptions,
): Promise<Result<Patch, WorkspaceError>> {
  if (before === after) return ok({ text: '', files: [] });
  const raw = await store.run(['diff-tree', ...DIFF, '--raw', '-z', before, after]);
  if (raw.code !== 0) return fail(gitFailure(raw));
  const changes = readRaw(raw.stdout).filter(
    ({ paths }) => only === undefined || paths.some((path) => only.has(path.toString())),
  );
  const files = [...new Set(changes.flatMap(({ paths }) => paths.map(String)))].sort();
  if (changes.length === 0) return ok({ text: '', files: [] });

  const patch = (paths?: readonly Buffer[], binary = false) =>
    store.run(
      [
        ...['--literal-pathspecs', 'diff-tree', ...DIFF, '--patch', '--binary', '--full-index'],
        ...['--no-color', before, after, ...(paths ? ['--', ...paths.map(String)] : [])],
      ],
      { maxBytes, binary },
    );
  const paths = only === undefined ? undefined : changes.flatMap((change) => change.paths);
  const whole = paths && paths.length > MAX_ARGUMENTS ? await patch() : await patch(paths);
  if (guard('diff.size', whole.code === null)) return ok({ text: listOnly(changes, maxBytes), files });
  if (whole.code !== 0) return fail(gitFailure(whole));
  const sections = splitSections(whole.stdout);
  if (sections.every(isText)) return ok({ text: whole.stdout.toString(), files });

  const all = paths === undefined || paths.length <= MAX_ARGUMENTS ? changes : readRaw(raw.stdout);
  const texts: string[] = [];
  let at = 0;
  for (const change of all) {
    const end = at + sectionsOf(change);
    const own = Buffer.concat(sections.slice(at, end));
    at = end;
    const again = isText(own) ? undefined : await patch(change.paths, true);
    // A name that is not UTF-8 cannot be asked for by name: its section is shown as well as it can be.
    texts.push(
      again?.code === 0 && isText(again.stdout) && again.stdout.length > 0
        ? again.stdout.toString()
        : own.toString(),
    );
  }
  return ok({ text: texts.join(''), files });
}

interface RawChange {
  readonly status: string;
  /** The old and the new one of what was renamed, else one. */
  readonly paths: readonly Buffer[];
}

/** `:mode mode id id STATUS` and then one path, or two for a rename. */
function readRaw(bytes: Buffer): readonly RawChange[] {
  const parts = splitZ(bytes);
  const changes: RawChange[] = [];
  for (let at = 0; at < parts.length; ) {
    const status = parts[at]?.toString().split(' ').at(-1) ?? '';
    const count = /^[RC]/.test(status) ? 2 : 1;
    changes.push({ status, paths: parts.slice(at + 1, at + 1 + count) });
    at += 1 + count;
  }
  return changes;
}

/** What becomes another kind of thing, a link a file, is told as one that goes and one that comes. */
const sectionsOf = ({ status }: RawChange): number => (status.startsWith('T') ? 2 : 1);

/** One section for each file that goes, comes or changes: lines of content never begin like a header. */
function splitSections(patch: Buffer): readonly Buffer[] {
  const starts: number[] = [0];
  for (let at = patch.indexOf(HEADER); at !== -1; at = patch.indexOf(HEADER, at + 1)) starts.push(at + 1);
  return starts.map((start, position) => patch.subarray(start, starts[position + 1] ?? patch.length));
}

function isText(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false; // That it is no text is the answer.
  }
}

const listOnly = (changes: readonly RawChange[], maxBytes: number): string =>
  [
    `# The patch is larger than ${maxBytes} bytes. These are its files; the workspace holds their contents.`,
    ...changes
      .slice(0, 5_000)
      .map(
        ({ status, paths }) =>
          `# ${status[0] ?? '?'} ${paths.map((path) => JSON.stringify(String(path))).join(' -> ')}`,
      ),
    ...(changes.length > 5_000 ? [`# and ${changes.length - 5_000} more`] : []),
    '',
  ].join('\n');

const HEADER = Buffer.from('\ndiff --git ');
const DIFF = ['-r', '--find-renames', '--no-ext-diff', '--no-textconv', '-l2000'];
/** More names than this do not fit into one call. */
const MAX_ARGUMENTS = 200;
