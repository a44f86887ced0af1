// @ts-check
import { posix } from 'node:path';
import { isThere, urlOf } from './documents.mjs';

/**
 * Where a link of a page leads on the site.
 *
 * @typedef {{ readonly kind: 'page' | 'away', readonly href: string }
 *   | { readonly kind: 'copy', readonly href: string, readonly file: string }
 *   | { readonly kind: 'source', readonly file: string }} Target
 */

/**
 * Reads a link as the repository has it and says where it leads: to a page, to a file that the site carries (pictures
 * and schemas below docs/), to a file of the repository, or away.
 *
 * @param {string} from The Markdown file that the link stands in.
 * @param {string} link
 * @param {ReadonlySet<string>} pages The Markdown files that are pages.
 * @returns {Target}
 */
export function targetOf(from, link, pages) {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(link)) return { kind: 'away', href: link };
  const [path = '', anchor] = link.split('#');
  const file = posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(path))).replace(/\/$/, '');
  const end = anchor === undefined ? '' : `#${anchor}`;
  const page = pages.has(file) ? file : `${file}/README.md`;
  if (pages.has(page)) return { kind: 'page', href: relativeUrl(urlOf(from), urlOf(page)) + end };
  if (file.startsWith('docs/') && /\.\w+$/.test(file) && isThere(file)) {
    const carried = file.replace(/^docs\//, '');
    return { kind: 'copy', href: relativeUrl(urlOf(from), carried) + end, file };
  }
  return { kind: 'source', file };
}

/**
 * From one place of the site to another, so that the site works in any folder and without a server.
 *
 * @param {string} from
 * @param {string} to
 */
export const relativeUrl = (from, to) => posix.relative(posix.dirname(from), to) || posix.basename(to);

/**
 * The name of a heading in a link, as code hosts make it.
 *
 * @param {string} heading Its Markdown.
 */
export const slugOf = (heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
