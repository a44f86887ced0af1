import { fileURLToPath } from 'node:url';
import { openFolder } from '@cuebook/files';
import type { Page } from '../http/app.js';

/** The files of the page, read once. They hold no data: whoever opens them needs the token to see any. */
export async function loadPages(): Promise<ReadonlyMap<string, Page>> {
  const folder = await openFolder(fileURLToPath(new URL('../../page', import.meta.url)), { access: 'ro' });
  if (!folder.ok) return new Map();
  const pages = new Map<string, Page>();
  for (const [path, file, type] of FILES) {
    const text = await folder.value.readText(file);
    if (text.ok) pages.set(path, { type: `${type}; charset=utf-8`, text: text.value });
  }
  return pages;
}

const FILES = [
  ['/', 'index.html', 'text/html'],
  ['/style.css', 'style.css', 'text/css'],
  ['/icon.svg', 'icon.svg', 'image/svg+xml'],
  ['/app.js', 'app.js', 'text/javascript'],
  ['/wire.js', 'wire.js', 'text/javascript'],
  ['/view.js', 'view.js', 'text/javascript'],
] as const;
