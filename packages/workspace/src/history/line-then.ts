import { createHash } from 'node:crypto';
import type { Prompt } from '@cuebook/prompt';
import type { AskGit } from './ask-git.js';

/** A line of a file as it was when a turn was told, and as it is now. */
export interface LineThen {
  /** The commit that has the file so; left out where none is known. */
  readonly commit?: string;
  /** `sha256:` and the hex digest of the file as it was. */
  readonly hash: string;
  readonly line: string;
  /** The line as it is now, where it differs; `null` where the file has no such line any more. */
  readonly now?: string | null;
}

/** Words that stood in a file, to the letter. */
export interface FileWords {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** All that a prompt has of a file to the letter. */
export function wordsFrom({ blocks }: Prompt, ref: string): readonly FileWords[] {
  return blocks.flatMap(({ text, spans }) => {
    const bytes = Buffer.from(text);
    return spans.flatMap(({ start, end, origin }): FileWords[] => {
      const { kind, line, column = 1 } = origin;
      if (kind !== 'file' || origin.ref !== ref || line === undefined) return [];
      return [{ line, column, text: bytes.subarray(start, end).toString() }];
    });
  });
}

/** Whether a prompt has words of a file, or of what includes lead to it. */
export function hasWordsFrom({ blocks }: Prompt, ref: string, words: string): boolean {
  return blocks.some(({ text, spans }) => {
    const bytes = Buffer.from(text);
    return spans.some(
      ({ start, end, origin }) =>
        [origin, ...(origin.via ?? [])].some((place) => place.ref === ref) &&
        bytes.subarray(start, end).includes(words),
    );
  });
}

export interface ThenCall {
  /** Asked in the project's folder. */
  readonly git: AskGit;
  readonly ref: string;
  readonly line: number;
  /** All that the turn was told of the file to the letter: what the file was known by. */
  readonly words: readonly FileWords[];
  /** Where there are none, what stood at the line, or the beginning of it, as far as it is spelt so. */
  readonly decoded: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The working file, where there is one. */
  readonly now: string | undefined;
  /** The file as the run of the turn began with it, where that was kept. */
  readonly kept?: KeptThen | undefined;
}

interface KeptThen {
  readonly text: string;
  /** The commit that was checked out. The file may have been changed since. */
  readonly commit?: string | undefined;
}

/**
 * The line of a file as a turn was told it: as the run kept it; else in the newest commit before the turn that has all
 * its words where they stood, in the first after it, or in the working tree. Undefined where none has.
 */
export async function lineThen(call: ThenCall): Promise<LineThen | undefined> {
  const { line, now } = call;
  const present = lineOf(now, line);
  const found = await fileThen(call, (lines) => lines[line - 1] !== undefined && holds(lines, call));
  const text = found && lineOf(found.content.toString(), line);
  if (found !== undefined && text !== undefined) {
    const { commit, content } = found;
    return {
      ...(commit === undefined ? {} : { commit }),
      hash: hashOf(content),
      line: text,
      ...(text === present ? {} : { now: present ?? null }),
    };
  }
  const lines = now?.split(LINE_END);
  if (now === undefined || lines === undefined || present === undefined || !holds(lines, call))
    return undefined;
  return { hash: hashOf(now), line: present };
}

/** A file as it was, and the commit that has it so. */
export interface FileThen {
  readonly commit?: string | undefined;
  readonly content: Buffer;
}

/** The file as the run kept it, or of the newest commit before a moment that has words where they stood, or of the first after it. */
export const wordsThen = (
  call: Pick<ThenCall, 'git' | 'ref' | 'at' | 'words' | 'kept'>,
): Promise<FileThen | undefined> =>
  fileThen(call, (lines) => call.words.every((each) => standsAt(lines, each)));

async function fileThen(
  { git, ref, at, kept }: Pick<ThenCall, 'git' | 'ref' | 'at' | 'kept'>,
  isIt: (lines: readonly string[]) => boolean,
): Promise<FileThen | undefined> {
  // What a person changed in the middle of a run is not what was kept: then the commits are asked.
  const own = kept !== undefined && isIt(kept.text.split(LINE_END)) ? kept : undefined;
  const named = own?.commit === undefined ? [] : [own.commit];
  for (const commit of [...named, ...(await commitsAround(git, ref, at))]) {
    const shown = await git(['show', `${commit}:./${ref}`]);
    if (!shown.ok) continue;
    const text = shown.stdout.toString();
    const isSame = own === undefined ? isIt(text.split(LINE_END)) : sameLines(text, own.text);
    if (isSame) return { commit, content: own === undefined ? shown.stdout : Buffer.from(own.text) };
  }
  return own === undefined ? undefined : { content: Buffer.from(own.text) };
}

/** A checkout may have other ends of lines than the commit. */
const sameLines = (one: string, other: string): boolean =>
  one === other ||
  one
    .replace(/^\uFEFF/, '')
    .split(LINE_END)
    .join('\n') === other.split(LINE_END).join('\n');

const hashOf = (content: Buffer | string): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** Whether a file has the words where they stood. */
function holds(lines: readonly string[], { words, decoded, line }: ThenCall): boolean {
  if (words.length > 0) return words.every((each) => standsAt(lines, each));
  const first = firstLine(decoded);
  return first !== '' && lines[line - 1]?.includes(first) === true;
}

function standsAt(lines: readonly string[], { line, column, text }: FileWords): boolean {
  return text.split('\n').every((part, index, parts) => {
    const whole = lines[line - 1 + index];
    if (whole === undefined) return false;
    const rest = index === 0 ? [...whole].slice(column - 1).join('') : whole;
    return index === parts.length - 1 ? rest.startsWith(part) : rest === part;
  });
}

/**
 * The newest commit before the moment, then those that touched the file: earlier ones from the newest on, and later ones
 * from the oldest on.
 */
async function commitsAround(git: AskGit, ref: string, at: number): Promise<readonly string[]> {
  const newest = await git(['rev-list', '-1', `--before=${Math.floor(at / SECOND) + 1}`, 'HEAD']);
  const listed = await git(['log', `-${MAX_COMMITS}`, '--format=%H %ct', '--', ref]);
  if (!listed.ok) return [];
  const commits = listed.stdout
    .toString()
    .split('\n')
    .flatMap((row) => {
      const [id, seconds] = row.split(' ');
      return id && seconds ? [{ id, at: Number(seconds) * 1000 }] : [];
    });
  const before = commits.filter((commit) => commit.at <= at + SECOND);
  // What was not committed yet when the turn was told was so afterwards.
  const after = commits.filter((commit) => commit.at > at + SECOND).reverse();
  const whole = newest.ok ? newest.stdout.toString().trim() : '';
  return [...(whole === '' ? [] : [whole]), ...[...before, ...after].map(({ id }) => id)];
}

const MAX_COMMITS = 200;
/** Commits know whole seconds. */
const SECOND = 1_000;

const LINE_END = /\r\n?|\n/;

const lineOf = (text: string | undefined, line: number): string | undefined =>
  text?.split(LINE_END)[line - 1];

/** Enough of the words to know their line again; the line may hold more on either side. */
const firstLine = (words: string): string => (words.split('\n', 1)[0] ?? '').trim();
