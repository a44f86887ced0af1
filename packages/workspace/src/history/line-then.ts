import type { AskGit } from './ask-git.js';

/** A line of a file as it was when a turn was told, and as it is now. */
export interface LineThen {
  /** The commit in which the line stood so; left out where no commit has it and the working file does. */
  readonly commit?: string;
  readonly line: string;
  /** The line as it is now, where it differs; `null` where the file has no such line any more. */
  readonly now?: string | null;
}

export interface ThenCall {
  /** Asked in the project's folder. */
  readonly git: AskGit;
  readonly ref: string;
  readonly line: number;
  /** What stood there, or the beginning of it. */
  readonly words: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The working file, where there is one. */
  readonly now: string | undefined;
}

/**
 * The line of a file as a turn was told it: in the newest commit before the turn that has the words there, in the first
 * after it, or in the working tree. Undefined where none has; so are words that every line holds, such as a line's end.
 */
export async function lineThen({ git, ref, line, words, at, now }: ThenCall): Promise<LineThen | undefined> {
  const present = lineOf(now, line);
  const first = firstLine(words);
  if (first === '') return undefined;
  const isAt = (text: string | undefined): text is string => text?.includes(first) === true;
  const commits = await commitsAround(git, ref, at);
  for (const commit of commits) {
    const shown = await git(['show', `${commit}:./${ref}`]);
    const text = shown.ok ? lineOf(shown.stdout.toString(), line) : undefined;
    if (!isAt(text)) continue;
    return { commit, line: text, ...(text === present ? {} : { now: present ?? null }) };
  }
  return isAt(present) ? { line: present } : undefined;
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

const lineOf = (text: string | undefined, line: number): string | undefined =>
  text?.split(/\r\n?|\n/)[line - 1];

/** Enough of the words to know their line again; the line may hold more on either side. */
const firstLine = (words: string): string => (words.split('\n', 1)[0] ?? '').trim();
