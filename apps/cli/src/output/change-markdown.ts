import type { ChangedOrigin, ProjectDiff } from '../project/project-diff.js';
import { diffText } from './diff-text.js';
import { count, screenText, styleFor } from './style.js';

export interface ChangeMarkdownOptions {
  /** What was measured of a source, by its file. */
  readonly shares?: ReadonlyMap<string, string>;
  /** The most characters; what does not fit is counted and left out. */
  readonly room?: number;
}

/** A comment of a pull request holds 65,536 characters, and more than this stands in it. */
const MOST = 50_000;

/**
 * What a change does to prompts, as Markdown: what is demanded first, then which prompts are reached, then the words by
 * their source. Everything in it is data of somebody else: it closes no fence, opens no tag and calls nobody.
 */
export function changeMarkdown(
  diff: ProjectDiff,
  { shares = new Map(), room = MOST }: ChangeMarkdownOptions = {},
): string {
  if (diff.same)
    return `No prompt changes: every prompt is the same to the byte as at ${code(diff.before)}.\n`;
  const parts = [
    summaryOf(diff),
    obligationsOf(diff),
    reachOf(diff),
    ...diff.origins.map((origin) => originOf(origin, shares)),
    besideOf(diff),
  ].filter((part) => part !== '');
  const kept: string[] = [];
  let left = room;
  for (const part of parts) {
    if (part.length > left) break;
    kept.push(part);
    left -= part.length + 1;
  }
  const lost = parts.length - kept.length;
  if (lost > 0) kept.push(`${count(lost, 'more part')} left out here: the comment would be too long.\n`);
  return kept.join('\n');
}

function summaryOf({ before, reach, origins, obligations: { added, dropped } }: ProjectDiff): string {
  const facts = [
    `${count(origins.length, 'source')} changed`,
    ...(dropped.length === 0 ? [] : [`${count(dropped.length, 'obligation')} dropped`]),
    ...(added.length === 0 ? [] : [`${count(added.length, 'obligation')} added`]),
  ];
  return `**${count(reach.length, 'prompt')} reached** since ${code(before)}: ${facts.join(', ')}.\n`;
}

function obligationsOf({ obligations: { added, dropped } }: ProjectDiff): string {
  const line = (sign: string) => (each: (typeof added)[number]) =>
    `${sign} ${each.force}: ${each.text} (${named(each.targets)})`;
  const lines = [...dropped.map(line('-')), ...added.map(line('+'))];
  return lines.length === 0 ? '' : `**Obligations**\n\n${fenced(lines)}\n`;
}

function reachOf({ reach }: ProjectDiff): string {
  if (reach.length === 0) return '';
  const rows = reach.slice(0, MOST_ROWS).map(({ target, change, through }) => {
    const ways = through.slice(0, 10).map((each) => code(each, true));
    return `| ${code(target, true)} | ${change === 'fixed' ? 'works again' : change} | ${ways.join(', ')} |`;
  });
  const more = reach.length - rows.length;
  return `| prompt | change | through |\n| --- | --- | --- |\n${rows.join('\n')}\n${more > 0 ? `\nand ${more} more\n` : ''}`;
}

const MOST_ROWS = 100;

function originOf(origin: ChangedOrigin, shares: ReadonlyMap<string, string>): string {
  const { origin: name, change, from, file, line, targets, removedLines, addedLines } = origin;
  const where = file === undefined ? name : line === undefined ? file : `${file}:${line}`;
  const share = file === undefined ? undefined : shares.get(file);
  const what = from === undefined ? change : `${change} from ${code(from)}`;
  const head = `${code(where)} ${what}, in ${named(targets.map((each) => code(each)))}`;
  const lines = [...removedLines.map((each) => `- ${each}`), ...addedLines.map((each) => `+ ${each}`)];
  const body = lines.length === 0 ? '' : `\n${fenced(lines)}\n`;
  return `${head}${share === undefined ? '' : `: **${share}**`}\n${body}`;
}

/** Tools, parameters, blocks, labels and capabilities. */
function besideOf(diff: ProjectDiff): string {
  const nothing = { added: [], dropped: [] };
  const told = diffText(
    { ...diff, origins: [], obligations: nothing, reach: [] },
    { style: PLAIN, isTerminal: false },
  );
  const lines = told.split('\n').slice(1).join('\n').trim();
  return lines === '' ? '' : `**Beside the words**\n\n${fenced(lines.split('\n'))}\n`;
}

const PLAIN = styleFor({ env: {}, terminal: { out: false, err: false } }, 'out');

const MOST_NAMED = 5;

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A name as code: nothing in it is read as Markdown, and nobody is called by it. A bar would end the cell of a table. */
export function code(text: string, isInTable = false): string {
  const flat = screenText(text, true).replace(/\s+/gu, ' ').slice(0, 300).toWellFormed().trim() || ' ';
  const fence = '`'.repeat(longestRun(flat) + 1);
  const room = /^`|`$/u.test(flat) ? ' ' : '';
  return `${fence}${room}${isInTable ? flat.replaceAll('|', '│') : flat}${room}${fence}`;
}

const MOST_LINES = 200;
const MOST_CHARACTERS = 1_000;

/** Lines in a fence that they cannot close. */
function fenced(all: readonly string[]): string {
  const lines = all
    .slice(0, MOST_LINES)
    .map((line) => screenText(line.replace(/[\r\n\u2028\u2029]+/gu, ' '), true))
    .map((line) =>
      line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS).toWellFormed()} …` : line,
    );
  if (all.length > MOST_LINES) lines.push(`… ${all.length - MOST_LINES} more lines`);
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return `${fence}diff\n${lines.join('\n')}\n${fence}`;
}

function longestRun(text: string): number {
  let most = 0;
  for (const [run] of text.matchAll(/`+/gu)) most = Math.max(most, run.length);
  return most;
}
