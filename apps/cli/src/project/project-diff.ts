import type { TextSource } from '@cuebook/files';
import {
  type Change,
  type DiffSide,
  findReach,
  type OriginChange,
  type PromptDiff,
  type ReachTarget,
} from '@cuebook/prompt/diff';
import type { DiffAnswer } from '../output/diff-text.js';
import { compareMasked } from '../output/masked-diff.js';
import type { Bench } from './bench.js';
import { composeAll } from './compose-all.js';

type Obligation = PromptDiff['obligations']['added'][number];

/** What changed in the text of one source, with every target that holds it. */
export interface ChangedOrigin extends OriginChange {
  readonly targets: readonly string[];
  /** Of a file of the project: the first line of it, as it is now, that differs. */
  readonly file?: string;
  readonly line?: number;
}

/** What a change does to all prompts of a project: each difference once. Without confidential words. */
export interface ProjectDiff extends DiffAnswer {
  readonly origins: readonly ChangedOrigin[];
  readonly obligations: Change<Obligation & { readonly targets: readonly string[] }>;
}

/** Compares every target of a project as two sources of its texts give it. */
export async function diffProjects(
  before: Bench,
  after: Bench,
  names: { readonly before: string; readonly after: string },
): Promise<ProjectDiff> {
  const all = await composeAll(before, after);
  return mergeDiffs(all.flatMap(diffOfTarget), all, { ...names, sources: [before.project, after.project] });
}

interface TargetDiff {
  readonly target: string;
  readonly diff: PromptDiff;
}

/** A target that is new or gone is compared with nothing; one that does not compose is told by reach alone. */
function diffOfTarget({ target, before, after }: ReachTarget): readonly TargetDiff[] {
  if (before === 'broken' || after === 'broken') return [];
  const known = before ?? after;
  if (known === undefined) return [];
  const nothing: DiffSide = { prompt: { ...known.prompt, blocks: [] } };
  const diff = compareMasked(before ?? nothing, after ?? nothing, { reveal: false });
  return diff.same ? [] : [{ target, diff }];
}

interface MergeOptions {
  readonly before: string;
  readonly after: string;
  readonly sources: readonly [TextSource, TextSource];
}

/** The differences of single targets as one of the project. `all`: every target, for what is reached. */
export async function mergeDiffs(
  diffs: readonly TargetDiff[],
  all: readonly ReachTarget[],
  { before, after, sources }: MergeOptions,
): Promise<ProjectDiff> {
  const origins = await Promise.all(
    sharedBy(
      diffs.flatMap(({ target, diff }) =>
        diff.origins
          .filter(({ origin }) => !/^(?:structure|redaction) /u.test(origin))
          .map((each) => ({ target, each })),
      ),
      ({ blocks: _, ...each }) => JSON.stringify(each),
    ).map(async (each) => ({ ...each, ...(await placeIn(each, sources)) })),
  );
  const reach = findReach(origins, all).filter(
    ({ change }) => sources[0] === sources[1] || change !== 'touched',
  );
  const obligations = (side: 'added' | 'dropped') =>
    sharedBy(
      diffs.flatMap(({ target, diff }) => diff.obligations[side].map((each) => ({ target, each }))),
      ({ force, text }) => `${force} ${text}`,
    );
  return {
    before,
    after,
    same: diffs.length === 0 && reach.length === 0,
    origins,
    obligations: { added: obligations('added'), dropped: obligations('dropped') },
    ...besideWords(diffs),
    reach,
  };
}

/** Each item once, with all targets that have it. */
function sharedBy<Item extends object>(
  items: readonly { readonly target: string; readonly each: Item }[],
  key: (item: Item) => string,
): readonly (Item & { readonly targets: readonly string[] })[] {
  const found = new Map<string, Item & { targets: string[] }>();
  for (const { target, each } of items) {
    const known = found.get(key(each));
    if (known === undefined) found.set(key(each), { ...each, targets: [target] });
    else if (!known.targets.includes(target)) known.targets.push(target);
  }
  return [...found.values()];
}

/** Tools, parameters, blocks, labels and capabilities, each with the name of its target. */
function besideWords(
  diffs: readonly TargetDiff[],
): Pick<PromptDiff, 'tools' | 'params' | 'blocks' | 'labels' | 'capabilities'> {
  const each = <Item>(list: (diff: PromptDiff, of: (text: string) => string) => readonly Item[]) =>
    diffs.flatMap(({ target, diff }) => list(diff, (text) => `${target}: ${text}`));
  return {
    tools: {
      added: each(({ tools }, of) => tools.added.map(of)),
      dropped: each(({ tools }, of) => tools.dropped.map(of)),
      changed: each(({ tools }, of) => tools.changed.map((change) => ({ ...change, path: of(change.path) }))),
    },
    params: each(({ params, tools, blockOrder }, of) => [
      ...params.map((change) => ({ ...change, path: of(change.path) })),
      ...(
        [
          ['order of tools', tools.order],
          ['order of blocks', blockOrder],
        ] as const
      ).flatMap(([name, order]) =>
        order === undefined
          ? []
          : [{ path: of(name), before: order.before.join(', '), after: order.after.join(', ') }],
      ),
    ]),
    blocks: each(({ blocks }, of) => blocks.map((block) => ({ ...block, block: of(block.block) }))),
    labels: each(({ labels }, of) => labels.map((label) => ({ ...label, origin: of(label.origin) }))),
    capabilities: {
      added: each(({ capabilities }, of) => capabilities.added.map(of)),
      dropped: each(({ capabilities }, of) => capabilities.dropped.map(of)),
    },
  };
}

/** Where a change stands in the file that it is in, as the file is now. */
async function placeIn(
  { origin, removedLines }: OriginChange,
  [old, now]: readonly [TextSource, TextSource],
): Promise<{ readonly file?: string; readonly line?: number }> {
  const file = /^(?:file|value) (.+)$/su.exec(origin)?.[1];
  if (file === undefined) return {};
  const [was, is] = [await old.readText(file), await now.readText(file)];
  if (!is.ok) return was.ok ? { file } : {};
  const lines = is.value.replace(/\n$/u, '').split('\n');
  const before = was.ok ? was.value.replace(/\n$/u, '').split('\n') : [];
  const first = lines.findIndex((line, at) => line !== before[at]);
  if (first !== -1) return { file, line: first + 1 };
  if (before.length > lines.length) return { file, line: lines.length };
  // The file is the same: an edit takes words out of it.
  const words = (removedLines.find((line) => line.trim() !== '') ?? '').trim();
  return { file, line: Math.max(1, lines.findIndex((line) => words !== '' && line.includes(words)) + 1) };
}
