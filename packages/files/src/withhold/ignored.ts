import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ignoreVerdict } from './ignore-rules.js';

/**
 * Whether git ignores a file below a root: by the rules of the folders on the way, those above the root up to the
 * top of its work tree, those that the repository keeps for itself, and those of the user. Rules are read when they
 * are asked for; files that cannot be read have none. Nothing below an ignored folder is taken back.
 */
export function isIgnored(root: string, names: readonly string[]): boolean {
  const { top, above } = workTreeOf(root);
  const all = [...above, ...names];
  const general = [userRules(), join(top, '.git', 'info', 'exclude')].map(readText);
  const own = all.map((_, depth) => readText(join(top, ...all.slice(0, depth), '.gitignore')));
  for (let length = 1; length <= all.length; length += 1) {
    const isFolder = length < all.length;
    const path = all.slice(0, length);
    // The rules of the nearest folder go before those above it.
    const verdicts = [
      ...general.map((text) => ignoreVerdict(text, path.join('/'), isFolder)),
      ...path.map((_, depth) => ignoreVerdict(own[depth] ?? '', path.slice(depth).join('/'), isFolder)),
    ];
    const answer = verdicts.findLast((each) => each !== undefined);
    if (answer === true && isFolder) return true;
    if (!isFolder) return answer === true;
  }
  return false;
}

/** The folder with `.git` at or above a root, and the names from there to the root. */
function workTreeOf(root: string): { readonly top: string; readonly above: readonly string[] } {
  const parts = root.split(/[/\\]/);
  for (let at = parts.length; at > 0; at -= 1) {
    const top = parts.slice(0, at).join('/') || '/';
    if (statSync(join(top, '.git'), { throwIfNoEntry: false }) !== undefined)
      return { top, above: parts.slice(at) };
  }
  return { top: root, above: [] };
}

const userRules = (): string =>
  join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'git', 'ignore');

const MAX_RULES = 1024 * 1024;

function readText(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.size <= MAX_RULES ? readFileSync(path, 'utf8') : '';
  } catch {
    return ''; // Not ours to read: nobody else's rules either.
  }
}
