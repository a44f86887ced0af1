import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.js';
import { filesUnder } from '../workspaces.js';

/** A Markdown file of the repository. */
export interface Document {
  /** From the top of the checkout. */
  readonly file: string;
  readonly text: string;
}

/** Every Markdown file that a reader is sent to. */
export function documents(): readonly Document[] {
  const top = ['README.md', 'CONTRIBUTING.md'].filter((file) => existsSync(join(ROOT, file)));
  const rest = ['docs', 'packages', 'apps', 'examples'].flatMap((folder) => filesUnder(folder, ['.md']));
  return [...top, ...rest.filter(isProse)].map((file) => ({
    file,
    text: readFileSync(join(ROOT, file), 'utf8'),
  }));
}

/** Outside docs/ only READMEs are documents: other Markdown there is prompt text or test data. */
const isProse = (file: string): boolean => file.startsWith('docs/') || file.endsWith('/README.md');
