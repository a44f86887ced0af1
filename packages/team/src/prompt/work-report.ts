import type { LabelledShell, Phrase } from '@cuebook/prompt';
import type { Made, WorkReport } from '../graph/envelope.js';
import type { TeamNode } from '../graph/node.js';
import { phrase, quoted, stated, told } from './say.js';

/** Changes, with the turn that made them where it is not the one before. */
type Told = Omit<Made, 'turn'> & Partial<Pick<Made, 'turn'>>;
type Fields = LabelledShell['fields'];

/** Changes as fields of a shell: where each patch is found, and the files. Names of files are agents' words. */
export function diffFields(diffs: readonly Told[]): Fields {
  if (diffs.length === 0) return [];
  const files = [...new Set(diffs.flatMap((made) => made.files))];
  const more = files.length - MAX_FILES;
  return [
    { key: 'diffs', value: diffs.map((made) => stated(`[${sizeOf(made)}] ${made.ref}`, 'diff')) },
    {
      key: 'files',
      value: [
        ...files.slice(0, MAX_FILES).map((file): Phrase => phrase(stated('./', 'diff'), quoted(file, AGENT))),
        ...(more > 0 ? [phrase(stated(`and ${more} more`, 'diff'))] : []),
      ],
    },
  ];
}

/** What a node has made, as fields of the handoff that comes with it. */
export function reportFields({ diffs, checks, failure }: WorkReport): Fields {
  return [
    ...diffFields(diffs),
    {
      key: 'checks',
      value: phrase(
        told(`checks.${checks}`),
        ...(failure === undefined
          ? []
          : [stated(': ', 'checks'), quoted(failure, { trust: 'tool', ref: 'verify' })]),
      ),
    },
  ];
}

/** What a node has made lately, and how its folder stands. */
export type NodeWorkReport = { readonly node: string; readonly report: WorkReport };

/** The work of the nodes, for one that leads: it is told of it also where nobody sent a handoff. */
export const workShells = (
  work: readonly NodeWorkReport[],
  nodes: readonly Pick<TeamNode, 'id' | 'alias'>[],
): readonly LabelledShell[] =>
  work.map(({ node, report }) => ({
    header: 'NODE_WORK',
    fields: [
      { key: 'node', value: stated(node, 'node work') },
      ...nodes
        .filter(({ id, alias }) => id === node && alias !== undefined)
        .map(({ alias = '' }) => ({ key: 'alias', value: stated(alias, 'node work') })),
      ...reportFields(report),
    ],
    closed: true,
  }));

const sizeOf = ({ turn, files, lines }: Told): string =>
  [
    ...(turn === undefined ? [] : [`turn ${turn}`]),
    `${files.length} ${files.length === 1 ? 'file' : 'files'}`,
    ...(lines === undefined ? [] : [`+${lines.added} -${lines.removed} lines`]),
  ].join(', ');

const AGENT = { trust: 'agent', ref: 'diff' } as const;
/** Files that are named; the patches have all. */
const MAX_FILES = 50;
