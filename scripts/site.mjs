// @ts-check
import './node-version.mjs';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from './process.mjs';
import { pagesOf, repository, SECTION_NAMES } from './site/documents.mjs';
import { documentFiles } from './site/files.mjs';
import { layout } from './site/layout.mjs';
import { slugOf } from './site/links.mjs';
import { setUpMarkdown } from './site/markdown.mjs';

// `npm run site` builds the documentation as a site of plain files: every Markdown file of the repository that a reader
// is sent to, with the pictures that they show. It opens in a browser as it is and can be served from any folder.

const ASSETS = fileURLToPath(new URL('./site', import.meta.url));

/**
 * Builds the site into a folder, which is emptied first. Answers the pages.
 *
 * @param {string} folder
 */
export async function buildSite(folder) {
  // @ts-expect-error It has no types.
  const { default: Eleventy } = await import('@11ty/eleventy');
  const pages = pagesOf(documentFiles());
  /** @type {Set<string>} */
  const carried = new Set();
  rmSync(folder, { recursive: true, force: true });
  const eleventy = new Eleventy(ASSETS, folder, {
    quietMode: true,
    config: (/** @type {any} */ config) => {
      config.setUseGitIgnore(false);
      config.setTemplateFormats(['md']);
      config.amendLibrary('md', (/** @type {any} */ markdown) =>
        setUpMarkdown(markdown, {
          pages: new Set(pages.map(({ file }) => file)),
          repository: repository(),
          carry: (file) => carried.add(file),
        }),
      );
      for (const page of pages) {
        // The words of a page are no template: they show templates.
        const data = { permalink: page.url, file: page.file, templateEngineOverride: 'md' };
        config.addTemplate(page.url.replace(/\.html$/, '.md'), page.text, data);
      }
    },
  });
  const made = await eleventy.toJSON();
  for (const page of pages) {
    const found = made.find((/** @type {any} */ each) => each.outputPath?.endsWith(`/${page.url}`));
    if (found === undefined) throw new Error(`The site has no page for ${page.file}.`);
    write(folder, page.url, layout(page, found.content, pages));
    write(folder, page.url.replace(/\.html$/, '.md'), page.text);
  }
  for (const file of carried) {
    const to = join(folder, file.replace(/^docs\//, ''));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(ROOT, file), to);
  }
  for (const name of ['style.css', 'find.js']) cpSync(join(ASSETS, name), join(folder, name));
  write(folder, 'pages.js', `globalThis.PAGES = ${JSON.stringify(indexOf(pages))};\n`);
  write(folder, 'llms.txt', llms(pages));
  return pages;
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {string} text
 */
function write(folder, name, text) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * What can be found: each page, and each heading on it.
 *
 * @param {readonly import('./site/documents.mjs').Page[]} pages
 */
const indexOf = (pages) =>
  pages.flatMap(({ url, title, text }) => [
    { url, text: title },
    ...[...withoutFences(text).matchAll(/^#{2,3} +(.+?) *#*$/gm)].map(([, heading = '']) => ({
      url: `${url}#${slugOf(heading)}`,
      text: `${title}: ${heading.replace(/[`*]/g, '')}`,
    })),
  ]);

/** @param {string} text */
const withoutFences = (text) => text.replace(/^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\1[`~]*$/gm, '');

/**
 * The site for language models: what there is, as Markdown files.
 *
 * @param {readonly import('./site/documents.mjs').Page[]} pages
 */
function llms(pages) {
  const home = pages.find(({ url }) => url === 'index.html');
  const parts = SECTION_NAMES.flatMap((name) => {
    const own = pages.filter(({ section, url }) => section === name && url !== 'index.html');
    const lines = own.map(
      ({ title, url, summary }) => `- [${title}](${url.replace(/\.html$/, '.md')}): ${summary}`,
    );
    return lines.length === 0 ? [] : [`## ${name}\n\n${lines.join('\n')}`];
  });
  return `# Cuebook\n\n> ${home?.summary ?? ''}\n\n${parts.join('\n\n')}\n`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = join(ROOT, '.cache', 'site');
  const pages = await buildSite(folder);
  console.log(`${pages.length} pages in .cache/site; open .cache/site/index.html`);
}
