import { describePlace, type Labels, type Origin, type Role } from '@cuebook/prompt';
import type { WirePart } from '@cuebook/prompt/wire';
import type { Blame, LineThen } from '@cuebook/workspace/history';
import type { ChainLink } from '../record/chain.js';
import type { Excerpt } from './excerpt.js';
import type { TextOptions } from './render-text.js';
import { screenText } from './style.js';

/** What `explain --json` answers: the place, the labels, and where the text was written. */
export interface ExplainAnswer extends Labels, Excerpt {
  readonly target: string;
  /** Byte offset in the one-string projection; in the body, of a body. */
  readonly at: number;
  /** Of a body, only where the byte belongs to a block. */
  readonly block?: string;
  readonly role?: Role;
  readonly origin: Origin;
  /** Byte range of the span within its block; within the body, of a body. */
  readonly span: { readonly start: number; readonly end: number };
  /** Of a body. */
  readonly wire?: {
    readonly format: string;
    readonly hash: string;
    /** Of a turn on record: these are the very bytes that were sent. */
    readonly sent?: boolean;
    readonly part: WirePart;
  };
  /** The file of this installation that holds words which come with Cuebook. */
  readonly opens?: string;
  /** Of words that an earlier turn said: what that turn was told them from, and so on. */
  readonly chain?: readonly ChainLink[];
  /** Of what was handed to a run, and of facts of it: the event that holds it. */
  readonly event?: NamedEvent;
  /** Of an Agent of a cluster. */
  readonly live?: LiveAnswer;
  /** Of a turn on record: which one, and what has become of the line since. */
  readonly record?: {
    readonly run: string;
    readonly turn: string;
    readonly lane: string;
    readonly at: string;
    readonly source?: LineThen;
  };
}

/** What a cluster says of the words of an Agent. */
export interface LiveAnswer {
  /** `namespace/name` */
  readonly agent: string;
  /** Whether the agent has been given these very words. */
  readonly isTold: boolean;
  /** Of the words that it was given last. */
  readonly hash?: string;
  /** The key that holds the words, with the version of its object. */
  readonly fragment?: {
    readonly kind: string;
    readonly name: string;
    readonly key: string;
    readonly resourceVersion?: string;
    readonly hash?: string;
  };
  /** Why the operator does not accept the Agent as it is now. */
  readonly refused?: string;
}

/** An event of a run, and who caused it, where the event says so. */
export interface NamedEvent {
  /** `RUN#SEQ` */
  readonly name: string;
  readonly type: string;
  readonly at: string;
  readonly by?: string;
  /** The command line that shows it. */
  readonly opens: string;
}

/** The answer of `explain`, and of `blame` with who wrote each place, for people. */
export function explanationText(
  answer: ExplainAnswer,
  { style, isTerminal }: TextOptions,
  blames: readonly Blame[] = [],
): string {
  const { origin, before, after } = answer;
  const show = (text: string): string => screenText(text, isTerminal);
  const rows: [string, string][] = [
    ...(answer.wire === undefined
      ? ([['block', `${answer.block} (${answer.role})`]] as [string, string][])
      : wireRows(answer.wire, show)),
    [
      'from',
      `${origin.kind} ${show(describePlace(origin))}${subjectText(answer, show)}${guessText(origin)}${blameText(blames[0])}`,
    ],
    ...(origin.via ?? []).map((place, index): [string, string] => [
      index === 0 ? 'via' : '',
      `${show(describePlace(place))}${blameText(blames[index + 1])}`,
    ]),
    ...(answer.opens === undefined ? [] : ([['opens', show(answer.opens)]] as [string, string][])),
    ...(answer.chain ?? []).map((link, index): [string, string] => [
      index === 0 ? 'chain' : '',
      `${link.at}: ${link.origin.kind} ${show(describePlace(link.origin))}${guessText(link.origin)}`,
    ]),
    ...liveRows(answer.live, show),
    ...eventRows(answer.event, show),
    ...sinceRows(answer.record, show),
    ['labels', `trust ${answer.trust}, secrecy ${answer.secrecy}, volatility ${answer.volatility}`],
  ];
  const head = style.dim(`${answer.target} byte ${answer.at}, ${answer.line}:${answer.column}`);
  const words = `${style.dim(show(before))}${style.cyan('▸')}${style.bold(show(after))}`;
  const table = rows.map(([name, value]) => `${style.dim(name.padEnd(8))}${value}\n`).join('');
  return `${head}\n  ${words}\n${table}`;
}

function wireRows(
  { format, hash, sent, part }: NonNullable<ExplainAnswer['wire']>,
  show: (text: string) => string,
): readonly [string, string][] {
  const exact = sent === undefined ? '' : sent ? ', as it was sent' : ', not the bytes that were sent';
  return [
    ['body', `${format} ${hash}${exact}`],
    ['is', show(partText(part))],
  ];
}

function partText(part: WirePart): string {
  switch (part.kind) {
    case 'block':
      return `block ${part.block}, bytes ${part.start} to ${part.end}`;
    case 'attachment':
      return `attachment ${part.index + 1} of block ${part.block}, ${part.hash}`;
    case 'call':
      return `${part.field} of call ${part.id}, in block ${part.block}`;
    case 'tool':
      return `tool ${part.tool}, ${part.pointer}`;
    case 'param':
      return `parameter ${part.name}`;
    case 'structure':
      return 'structure of the format';
  }
}

/** A place that the record does not settle is never told as if it did. */
const guessText = ({ guess }: Origin): string => (guess === undefined ? '' : ` (a guess: ${guess})`);

/** What was handed in is known to people by its name. */
const subjectText = ({ origin, event }: ExplainAnswer, show: (text: string) => string): string =>
  event === undefined || origin.subject === undefined ? '' : ` (${show(origin.subject)})`;

function eventRows(
  event: ExplainAnswer['event'],
  show: (text: string) => string,
): readonly [string, string][] {
  if (event === undefined) return [];
  const by = event.by === undefined ? '' : ` by ${show(event.by)}`;
  return [
    ['event', `${event.type}${by}, ${event.at}`],
    ['opens', show(event.opens)],
  ];
}

function sinceRows(
  record: ExplainAnswer['record'],
  show: (text: string) => string,
): readonly [string, string][] {
  if (record === undefined) return [];
  const told: [string, string] = ['sent', `${record.at}, to ${show(record.lane)}`];
  const { commit, hash, line, now } = record.source ?? {};
  if (hash === undefined || line === undefined || now === undefined) return [told];
  const from = commit === undefined ? `in no commit, file ${hash.slice(0, 17)}` : commit.slice(0, 10);
  return [
    told,
    ['then', `${show(line.trim())}  (${from})`],
    ['now', now === null ? 'the file has no such line any more' : show(now.trim())],
  ];
}

function blameText(blame: Blame | undefined): string {
  if (blame === undefined) return '';
  if ('note' in blame) return `  (${blame.note})`;
  return `  ${blame.commit.slice(0, 10)} ${blame.author}, ${blame.date.slice(0, 10)}: ${blame.summary}`;
}

function liveRows(live: LiveAnswer | undefined, show: (text: string) => string): readonly [string, string][] {
  if (live === undefined) return [];
  const { isTold, hash, fragment, refused } = live;
  const version = fragment?.resourceVersion === undefined ? '' : `, version ${fragment.resourceVersion}`;
  const given = isTold
    ? 'the agent has been given these words'
    : hash === undefined
      ? 'the agent has been given no words yet'
      : `the agent has other words (${hash}): these are what its sources say now`;
  return [
    ...(fragment === undefined
      ? []
      : ([['key', show(`${fragment.kind} ${fragment.name} ${fragment.key}${version}`)]] as [
          string,
          string,
        ][])),
    ['live', given],
    ...(refused === undefined ? [] : ([['refused', show(refused)]] as [string, string][])),
  ];
}
