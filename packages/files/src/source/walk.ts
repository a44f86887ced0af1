import { guard } from '@cuebook/guard';
import { type FileResult, fail, ok } from '../result.js';
import {
  DEFAULT_IGNORE,
  DEFAULT_WALK_LIMIT,
  type Listing,
  type TextSource,
  type WalkOptions,
} from './source.js';

/** The walk of any source that can list: depth first, each directory in its sorted order. */
export async function* walkSource(
  list: TextSource['list'],
  path: string,
  { ignore = DEFAULT_IGNORE, limit = DEFAULT_WALK_LIMIT, onSkipped }: WalkOptions = {},
): AsyncIterable<FileResult<string>> {
  const ignored = new Set(ignore);
  const todo: Found[] = [{ path, kind: 'directory' }];
  let count = 0;
  let top = '.';
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (next.kind === 'file') {
      count += 1;
      if (guard('list.limit', count > limit)) {
        yield fail({ code: 'E_FILE_TOO_LARGE', path: top, limit, unit: 'entries' });
        return;
      }
      yield ok(next.path);
      continue;
    }
    const listing = await list(next.path, { limit: Number.POSITIVE_INFINITY });
    if (!listing.ok) yield listing;
    else {
      if (next.path === path) top = listing.value.path;
      for (const found of below(listing.value, ignored, onSkipped).reverse()) todo.push(found);
    }
  }
}

interface Found {
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

function below(
  { path: folder, entries, unaddressable }: Listing,
  ignored: ReadonlySet<string>,
  onSkipped: WalkOptions['onSkipped'],
): Found[] {
  const found: Found[] = [];
  for (const { name, kind } of entries) {
    if (ignored.has(name)) continue;
    const path = folder === '.' ? name : `${folder}/${name}`;
    if (kind === 'file' || kind === 'directory') found.push({ path, kind });
    else onSkipped?.({ path, kind });
  }
  if (unaddressable > 0) onSkipped?.({ path: folder, unaddressable });
  return found;
}
