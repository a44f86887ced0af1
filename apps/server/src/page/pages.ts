import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Files, openFolder } from '@cuebook/files';
import type { Page } from '../http/app.js';

/**
 * The files of the web app by their path. They hold no data: whoever opens them needs the token to see any. Each is read
 * and compressed when it is first asked for.
 */
export async function loadPages(): Promise<ReadonlyMap<string, Page>> {
  const folder = await openFolder(fileURLToPath(new URL('../../page', import.meta.url)), { access: 'ro' });
  if (!folder.ok) return new Map();
  const pages = new Map<string, Page>();
  for await (const found of folder.value.walk()) {
    if (!found.ok) continue;
    const type = TYPES[/\.\w+$/.exec(found.value)?.[0] ?? ''];
    if (type === undefined) continue;
    const path = found.value === 'index.html' ? '/' : `/${found.value}`;
    pages.set(path, pageOf(folder.value, found.value, type));
  }
  return pages;
}

function pageOf(folder: Files, file: string, type: string): Page {
  const read = async () => {
    const text = await folder.readText(file);
    return text.ok ? Buffer.from(text.value) : undefined;
  };
  let plain: ReturnType<typeof read> | undefined;
  let packed: Promise<Buffer | undefined> | undefined;
  const getPlain = () => {
    plain ??= read();
    return plain;
  };
  return {
    type: `${type}; charset=utf-8`,
    plain: getPlain,
    gzipped() {
      packed ??= getPlain().then((bytes) => bytes && compress(bytes));
      return packed;
    },
  };
}

const compress = promisify(gzip);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
};
