// @ts-check
import { SECTION_NAMES } from './documents.mjs';
import { relativeUrl } from './links.mjs';

/** @typedef {import('./documents.mjs').Page} Page */

/**
 * A whole page of the site.
 *
 * @param {Page} page
 * @param {string} body Its HTML.
 * @param {readonly Page[]} pages
 */
export function layout(page, body, pages) {
  const to = (/** @type {string} */ url) => escapeHtml(relativeUrl(page.url, url));
  const isHome = page.url === 'index.html';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(isHome ? page.title : `${page.title} · Cuebook`)}</title>
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="stylesheet" href="${to('style.css')}">
<link rel="alternate" type="text/markdown" href="${to(page.url.replace(/\.html$/, '.md'))}">
<script src="${to('find.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${to('index.html')}">Cuebook</a>
<label>Find a page <input id="find" type="search" data-index="${to('pages.js')}" data-base="${to('index.html').replace(/index\.html$/, '')}" autocomplete="off"></label>
</header>
<div class="columns">
<nav aria-label="Pages"><ul id="found" hidden></ul><div id="sections">${sections(page, pages, to)}</div></nav>
<main id="content">
${body}
</main>
</div>
</body>
</html>
`;
}

/**
 * @param {Page} page
 * @param {readonly Page[]} pages
 * @param {(url: string) => string} to
 */
function sections(page, pages, to) {
  return SECTION_NAMES.map((name) => {
    const own = pages.filter(({ section }) => section === name);
    if (own.length === 0) return '';
    const isOpen = page.section === name || SECTION_NAMES.indexOf(name) < 2;
    const items = own.map(({ url, title }) => {
      const current = url === page.url ? ' aria-current="page"' : '';
      return `<li><a href="${to(url)}"${current}>${escapeHtml(title)}</a></li>`;
    });
    return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(name)}</summary><ul>${items.join('')}</ul></details>`;
  }).join('\n');
}

/** @param {string} text */
export const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
