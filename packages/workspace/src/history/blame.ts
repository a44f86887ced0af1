import type { Place } from '@cuebook/prompt';
import type { AskGit } from './ask-git.js';

/** Who wrote a line of a file, or why nobody can say. */
export type Blame =
  | {
      readonly place: Place;
      readonly commit: string;
      readonly author: string;
      /** ISO 8601 with the author's own offset. */
      readonly date: string;
      readonly summary: string;
    }
  | { readonly place: Place; readonly note: string };

/** The last commit that touched the line. `commit` is where to look; without it, the working tree. */
export async function blame(git: AskGit, place: Place, commit: string | undefined): Promise<Blame> {
  const { ref, line } = place;
  if (line === undefined) return { place, note: 'no line is known' };
  const range = `${line},${line}`;
  const from = commit === undefined ? [] : [commit];
  const answer = await git(['blame', '--porcelain', '-L', range, ...from, '--', ref]);
  if (!answer.ok) return { place, note: noteFor(answer.complaint) };
  return { place, ...parsePorcelain(answer.stdout.toString()) };
}

/** Reads the header of `git blame --porcelain`: the id first, then one `key value` a line. */
export function parsePorcelain(text: string): BlameFields {
  const [first = '', ...lines] = text.split('\n');
  const id = first.split(' ', 1)[0] ?? '';
  if (/^0*$/.test(id)) return { note: 'not committed yet' };
  const field = (key: string): string =>
    lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1) ?? '';
  return {
    commit: id,
    author: field('author'),
    date: isoDate(Number(field('author-time')), field('author-tz')),
    summary: field('summary'),
  };
}

type BlameFields =
  | { readonly commit: string; readonly author: string; readonly date: string; readonly summary: string }
  | { readonly note: string };

/** Seconds since 1970 as the clock on the author's wall showed them. */
export function isoDate(seconds: number, zone: string): string {
  const [, sign = '+', hours = '00', minutes = '00'] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const wall = new Date((seconds + offset * 60) * 1000);
  if (Number.isNaN(wall.getTime())) return '';
  return `${wall.toISOString().slice(0, 19)}${sign}${hours}:${minutes}`;
}

function noteFor(complaint: string): string {
  if (/not a git repository/i.test(complaint)) return 'not in a git checkout';
  if (/no such path|no such ref|has only|cannot stat|outside repository/i.test(complaint))
    return 'not committed yet';
  return 'git cannot tell';
}
