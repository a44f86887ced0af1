import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECTIONS } from '../scripts/site/documents.mjs';
import { buildSite } from '../scripts/site.mjs';
import { documents } from './docs/document.js';
import { ROOT } from './root.js';

// The documentation as a site: what `npm run site` builds.

const folder = mkdtempSync(join(tmpdir(), 'cuebook-site-'));
let pages: Awaited<ReturnType<typeof buildSite>>;
beforeAll(async () => {
  pages = await buildSite(folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of Object.keys(process.env)) if (name.startsWith('ELEVENTY_')) delete process.env[name];
});

const html = (url: string): string => readFileSync(join(folder, url), 'utf8');
const targetsIn = (text: string): readonly string[] =>
  [...text.matchAll(/<[^>]*?\s(?:href|src|data-index)="([^"]*)"/g)].map(([, target = '']) => target);

describe('the site', () => {
  it('has a page for every document that a reader is sent to, and lists it once', () => {
    expect(pages.map(({ file }) => file)).toEqual(
      expect.arrayContaining(documents().map(({ file }) => file)),
    );
    const [navigation = ''] = html('index.html').split('<main');
    for (const { url } of pages) {
      const listed = navigation.split(`<li><a href="${url}"`).length - 1;
      expect([url, listed]).toEqual([url, 1]);
    }
  });

  it('names only files that are there, and gives every page of docs/user a section of its own choice', () => {
    const listed = SECTIONS.flatMap(({ files }) => files);
    expect(listed.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
    const user = readdirSync(join(ROOT, 'docs/user')).filter((name) => name.endsWith('.md'));
    expect(user.filter((name) => !listed.includes(`docs/user/${name}`))).toEqual([]);
  });

  it('leads nowhere that does not exist: every link, picture and anchor, from every page', () => {
    const ids = new Map(
      pages.map(({ url }) => [url, new Set([...html(url).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const lost = pages.flatMap(({ url }) =>
      targetsIn(html(url))
        .filter((target) => !/^(?:[a-z]+:|\/\/)/i.test(target) && target !== '')
        .filter((target) => {
          const [path = '', anchor] = target.split('#');
          const file = path === '' ? url : normalize(join(dirname(url), path));
          if (!existsSync(join(folder, file))) return true;
          return anchor !== undefined && ids.get(file)?.has(decodeURIComponent(anchor)) !== true;
        })
        .map((target) => `${url} -> ${target}`),
    );
    expect(lost).toEqual([]);
  });

  it('shows the words of a page as they are, templates and markup included', () => {
    const shown = html('user/manifests.html')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    const fences = [
      ...readFileSync(join(ROOT, 'docs/user/manifests.md'), 'utf8').matchAll(/^```\w*\n(.*?)^```$/gms),
    ];
    expect(fences.length).toBeGreaterThan(3);
    for (const [, code = ''] of fences) expect(shown).toContain(code);
  });

  it('has a list for language models, of Markdown files that are there', () => {
    const lines = html('llms.txt').split('\n');
    expect(lines[0]).toBe('# Cuebook');
    const links = lines.flatMap((line) => /^- \[.+?\]\((.+?)\): ./.exec(line)?.[1] ?? []);
    expect(links.length).toBe(pages.length - 1);
    for (const link of links) expect([link, existsSync(join(folder, link))]).toEqual([link, true]);
  });
});
