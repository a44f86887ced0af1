/** What is known of a path that a call names. */
export type PathFacts =
  | { readonly kind: 'docs' | 'code' | 'folder'; readonly path: string }
  /** It leads out of the workspace, or cannot be a path at all, or is withheld from agents. */
  | { readonly kind: 'outside'; readonly withheld?: true };

/** The folder of documents, below the root of the workspace. */
export const DOCS_FOLDER = 'docs';

/**
 * What a path says of itself: `.` and `..` taken out, absolute and odd ones refused. Links are not looked at: who
 * touches the disk resolves them and asks again with what it found.
 */
export function lexicalPath(path: string, docs: string = DOCS_FOLDER): PathFacts {
  if (path === '' || /^[/\\~@]|^[A-Za-z]:|[\\\0\r\n]/.test(path)) return { kind: 'outside' };
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return { kind: 'outside' };
  }
  if (parts.length === 0) return { kind: 'folder', path: '.' };
  const clean = parts.join('/');
  if (parts.some(isGitFolder)) return { kind: 'outside' };
  return { kind: isBelow(clean, docs) ? 'docs' : 'code', path: clean };
}

/** Whether a clean path is a file below a folder. */
export const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** Hooks and settings of git are run by other programs: nobody writes them through a file tool. */
const isGitFolder = (part: string): boolean => part.toLowerCase() === '.git';
