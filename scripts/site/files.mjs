// @ts-check
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../process.mjs';

/** Every Markdown file that a reader is sent to. Outside docs/ only READMEs: other Markdown there is prompt text. */
export function documentFiles() {
  const top = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].filter((file) => existsSync(join(ROOT, file)));
  const readmes = ['packages', 'apps', 'examples'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .map((name) => `${group}/${name}/README.md`)
      .filter((file) => existsSync(join(ROOT, file))),
  );
  return [...top, ...markdownUnder('docs'), ...readmes];
}

/**
 * @param {string} folder
 * @returns {readonly string[]}
 */
const markdownUnder = (folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return markdownUnder(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
