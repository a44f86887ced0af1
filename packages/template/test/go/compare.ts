import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../../test/root.js';
import type { GoAnswer } from './ask.js';
import { errorKindOf } from './errors.js';

/** What one of our back ends says of a case. */
export interface OurAnswer {
  readonly ok: boolean;
  readonly out: string | null;
  readonly err: string | null;
  /** The bytes of the output, when the back end gives them. */
  readonly bytes?: Uint8Array;
}

/** How an answer differs: in success, in the bytes of the output, or only in the words of the error. */
export type DifferenceSort = 'success' | 'output' | 'error text';

/** A case that a back end answers otherwise than Go. */
export interface Difference {
  readonly sort: DifferenceSort;
  readonly engine: string;
  readonly id: string;
  readonly tmpl: string;
  readonly line: string;
  readonly go: GoAnswer;
  readonly ours: OurAnswer;
}

/** How our answer differs from Go's; undefined when it does not. */
export function differenceOf(go: GoAnswer, ours: OurAnswer): DifferenceSort | undefined {
  if (go.ok !== ours.ok) return 'success';
  if (!go.ok) return go.err === ours.err ? undefined : 'error text';
  if (go.out !== ours.out) return 'output';
  if (!ours.bytes) return undefined;
  const bytes = go.bytes === undefined ? Buffer.from(go.out ?? '') : Buffer.from(go.bytes, 'base64');
  return bytes.equals(ours.bytes) ? undefined : 'output';
}

/** Writes the differences below `.cache/go-diff`, and how many there are of which kind. Answers the summary. */
export function writeDifferences(differences: readonly Difference[], cases: number): string {
  const folder = join(ROOT, '.cache', 'go-diff');
  const groups = new Map<string, Difference[]>();
  for (const found of differences) {
    const group = groupOf(found);
    groups.set(group, [...(groups.get(group) ?? []), found]);
  }
  const sorted = [...groups].sort(([, one], [, other]) => other.length - one.length);
  const lines = sorted.flatMap(([, members]) => members.map((found) => JSON.stringify(shown(found))));
  const summary = [
    `${differences.length} differences in ${cases} cases`,
    ...sorted.flatMap(([group, members]) => [
      '',
      `${members.length}  ${group}`,
      ...members.slice(0, 3).map((found) => `    ${sample(found)}`),
    ]),
    '',
  ].join('\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'differences.jsonl'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'summary.txt'), summary);
  return summary;
}

function groupOf({ sort, go, ours }: Difference): string {
  const kind = (err: string | null) => (err === null ? 'success' : (errorKindOf(err) ?? 'an unknown error'));
  return `${sort}: Go has ${kind(go.err)}, ours ${kind(ours.err)}`;
}

const shown = ({ line, ...rest }: Difference) => ({
  ...rest,
  case: line.length < 4000 ? line : `${line.slice(0, 4000)}…`,
});

function sample({ engine, id, tmpl, go, ours }: Difference): string {
  const short = (text: string | null) => JSON.stringify((text ?? '').slice(-300));
  return `${engine} ${id} ${JSON.stringify(tmpl.slice(0, 400))}\n      go   ${short(go.err ?? go.out)}\n      ours ${short(ours.err ?? ours.out)}`;
}
