// @ts-check
import { escapeHtml } from './layout.mjs';
import { slugOf, targetOf } from './links.mjs';

/**
 * Sets up the Markdown of the site: links lead to pages, headings can be linked to, tables scroll on a phone.
 *
 * @param {any} markdown A markdown-it.
 * @param {{ pages: ReadonlySet<string>, repository: string | undefined, carry: (file: string) => void }} site
 */
export function setUpMarkdown(markdown, { pages, repository, carry }) {
  markdown.set({ html: true, linkify: false, typographer: false });
  markdown.core.ruler.push('site', (/** @type {any} */ state) => {
    const seen = new Map();
    for (const [index, token] of state.tokens.entries()) {
      if (token.type === 'heading_open') {
        const slug = slugOf(state.tokens[index + 1].content);
        const count = seen.get(slug) ?? 0;
        seen.set(slug, count + 1);
        token.attrSet('id', count === 0 ? slug : `${slug}-${count}`);
      }
      if (token.type === 'inline') place(token.children, state.env.file);
    }
  });
  markdown.renderer.rules.table_open = () => '<div class="wide"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';

  /**
   * @param {any[]} tokens
   * @param {string} from
   */
  function place(tokens, from) {
    /** @type {any[]} */
    const open = [];
    for (const token of tokens) {
      if (token.type === 'image') {
        const target = targetOf(from, token.attrGet('src'), pages);
        if (target.kind === 'copy') carry(target.file);
        if ('href' in target) token.attrSet('src', target.href);
      }
      if (token.type === 'link_close') become(token, open.pop(), true);
      if (token.type !== 'link_open') continue;
      const target = targetOf(from, token.attrGet('href'), pages);
      if (target.kind === 'copy') carry(target.file);
      if ('href' in target) token.attrSet('href', target.href);
      else if (repository !== undefined) token.attrSet('href', `${repository}/blob/main/${target.file}`);
      open.push('href' in target || repository !== undefined ? undefined : target.file);
      become(token, open.at(-1), false);
    }
  }

  /**
   * A file of the repository without a known address is named, not linked.
   *
   * @param {any} token
   * @param {string | undefined} file
   * @param {boolean} isEnd
   */
  function become(token, file, isEnd) {
    if (file === undefined) return;
    token.type = 'html_inline';
    token.tag = '';
    token.nesting = 0;
    token.content = isEnd ? '</span>' : `<span class="source" title="${escapeHtml(file)}">`;
  }
}
