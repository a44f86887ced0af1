import type { Interval } from '../statistics/estimate.js';
import type { ComparisonDocument, EvalDocument } from './document.js';
import type { MetricComparison } from './metric.js';
import { answeredLine } from './models.js';

/** `1 case`, `2 cases`. */
export const counted = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Numbers as people read them: `.871`, `+.022`, `[-.011, +.055]`. */
export const shown = (value: number): string =>
  value
    .toFixed(3)
    .replace(/^(-?)0\./u, '$1.')
    .replace(/^-(\.0+)$/u, '$1');
export const signed = (value: number): string => (value > 0 ? `+${shown(value)}` : shown(value));
export const shownInterval = ({ low, high }: Interval): string => `[${signed(low)}, ${signed(high)}]`;

const WORDS = { better: 'better', worse: 'worse', 'no-worse': 'no worse', open: 'open' } as const;

/** One line of a metric: `finds  .871 -> .893  +.022 [-.011, +.055]  no worse`. */
export function metricLine({ name, base, candidate, difference, verdict, judged }: MetricComparison): string {
  const mean = (side: typeof base): string => (side === null ? 'no score' : shown(side.mean));
  const by =
    difference === null
      ? ''
      : `  ${signed(difference.mean)} ${difference.interval === null ? '[unknown]' : shownInterval(difference.interval)}`;
  const orders =
    judged?.orders === undefined
      ? ''
      : `, the order decided ${judged.orders.flips} of ${judged.orders.pairs} pairs`;
  const seen =
    judged === null ? '' : judged.corrected ? '  (judged, corrected by marks)' : `  (judged${orders})`;
  return `${name}  ${mean(base)} -> ${mean(candidate)}${by}  ${WORDS[verdict]}${seen}`;
}

/** A comparison as a terminal shows it. `next`: the command that goes on. */
export function comparisonText(document: ComparisonDocument, next?: string): string {
  const { base, candidate, design, metrics, moved, attribution, missing, cost, verdict, why, earlier } =
    document;
  const edits = candidate.edits.length === 0 ? '' : ` with ${candidate.edits.join(' ')}`;
  const lines = [
    `${base.target} -> ${candidate.target}${edits}`,
    `tokens ${shownTokens(base.tokens)} -> ${shownTokens(candidate.tokens)}`,
    designLine(design),
    ...metrics.map((metric) => metricLine(metric)),
    ...(moved.length === 0 ? [] : [movedLine(document)]),
    ...attribution.map(
      ({ origin, share, interval, found }) =>
        `${origin}  ${signed(share)} ${shownInterval(interval)}${found ? '' : '  not told from zero'}`,
    ),
    ...missingLine(missing),
    ...modelsLine(document.models),
    ...divergedLine(document.diverged),
    ...(cost.base === null || cost.candidate === null
      ? []
      : [`cost ${cost.base.toFixed(4)} -> ${cost.candidate.toFixed(4)} USD`]),
    ...(earlier.length === 0 ? [] : [`earlier comparisons of the same variants: ${earlier.join(', ')}`]),
    `${WORDS[verdict]}: ${why}`,
    ...(next === undefined ? [] : [next]),
  ];
  return `${lines.join('\n')}\n`;
}

const shownTokens = (tokens: number): string => String(Math.round(tokens));

function designLine({ cases, clusters, takes, looks, margin, canSee }: ComparisonDocument['design']): string {
  const grouped = clusters === cases ? '' : ` in ${counted(clusters, 'cluster')}`;
  const sees = canSee === null ? 'nothing can be seen' : `can see ${shown(canSee)}`;
  return `${counted(cases, 'case')}${grouped}, ${counted(takes, 'take')}, look ${looks.taken} of ${looks.planned}, margin ${shown(margin)}, ${sees}`;
}

const MOST_MOVED = 5;

function movedLine({ moved }: ComparisonDocument): string {
  const told = moved
    .slice(0, MOST_MOVED)
    .map(({ id, by, tested }) => `${id} ${signed(by)}${tested ? '' : ' (seen, not tested)'}`);
  const more = moved.length > MOST_MOVED ? ` and ${moved.length - MOST_MOVED} more` : '';
  return `moved: ${told.join(', ')}${more}`;
}

function missingLine({ base, candidate, reasons }: ComparisonDocument['missing']): readonly string[] {
  if (base + candidate === 0) return [];
  const told = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
  return [`missing: base ${base}, candidate ${candidate} (${told.join(', ')})`];
}

/** Who answered, where anybody said so: one name where it is one and the same. */
function modelsLine({ base, candidate }: ComparisonDocument['models']): readonly string[] {
  const [was, is] = [base.join(', '), candidate.join(', ')];
  if (was === '' && is === '') return [];
  return [was === is ? `answered by ${was}` : `answered by ${was || 'unknown'} -> ${is || 'unknown'}`];
}

function divergedLine(diverged: ComparisonDocument['diverged']): readonly string[] {
  if (diverged === undefined) return [];
  const told = (steps: Readonly<Record<string, number>>): string => {
    const all = Object.entries(steps);
    const count = all.reduce((sum, [, each]) => sum + each, 0);
    return count === 0
      ? '0'
      : `${count} (${all.map(([step, each]) => `${each} at step ${step}`).join(', ')})`;
  };
  return [`diverged from the record: base ${told(diverged.base)}, candidate ${told(diverged.candidate)}`];
}

/** A comparison as a comment on a pull request. `change`: what changed in the words, as Markdown. */
export function comparisonMarkdown(document: ComparisonDocument, change: string): string {
  const { base, candidate, design, metrics, moved, attribution, missing, verdict, why } = document;
  const rows = metrics.map(({ name, role, base: was, candidate: is, difference, verdict: told, judged }) =>
    [
      cell(name) + (role === 'primary' ? '' : ` (${role})`) + (judged === null ? '' : ' (judged)'),
      was === null ? '' : shown(was.mean),
      is === null ? '' : shown(is.mean),
      difference === null ? '' : signed(difference.mean),
      difference?.interval == null ? 'unknown' : shownInterval(difference.interval),
      WORDS[told],
    ].join(' | '),
  );
  const shares = attribution.map(
    ({ origin, share, interval, found }) =>
      `| ${cell(origin)} | ${signed(share)} | ${shownInterval(interval)} | ${found ? 'yes' : 'not told from zero'} |`,
  );
  return `${[
    `### ${WORDS[verdict]}: ${cell(base.target)} to ${cell(candidate.target)}`,
    '',
    `${cell(why)}. ${designLine(design)}.`,
    '',
    '| metric | base | candidate | difference | 95 % interval | verdict |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
    ...(shares.length === 0
      ? []
      : ['', '| origin | share | interval | found |', '| --- | --- | --- | --- |', ...shares]),
    ...(moved.length === 0 ? [] : ['', cell(movedLine(document))]),
    ...[...missingLine(missing), ...modelsLine(document.models)].flatMap((line) => ['', cell(line)]),
    ...(change === '' ? [] : ['', change.trimEnd()]),
  ].join('\n')}\n`;
}

/** Names are data: they open no cell, no tag and no link, and call nobody. */
const cell = (text: string): string =>
  text
    .replace(/[\\|<>[\]`*_]/gu, (mark) => `\\${mark}`)
    .replace(/@(?=\w)/gu, '@\u200b')
    .replace(/\s+/gu, ' ');

/** The scores of one variant as a terminal shows them. */
export function evalText({ variant, design, metrics, models, cost }: EvalDocument): string {
  const { cases, clusters, takes } = design;
  const grouped = clusters === cases ? '' : ` in ${counted(clusters, 'cluster')}`;
  const lines = metrics.map(({ name, mean, interval, missing, reasons }) => {
    const told = mean === null ? 'no score' : shown(mean);
    const within = interval === null ? '[unknown]' : `[${shown(interval.low)}, ${shown(interval.high)}]`;
    const why = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
    return `${name}  ${told} ${within}${missing === 0 ? '' : `  missing ${missing} (${why.join(', ')})`}`;
  });
  return `${[
    `${variant.target}: ${counted(cases, 'case')}${grouped}, ${counted(takes, 'take')}`,
    ...lines,
    ...answeredLine(models),
    ...(cost === null ? [] : [`cost ${cost.toFixed(4)} USD`]),
  ].join('\n')}\n`;
}
