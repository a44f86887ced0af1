import { linesOf } from '../input/lines.js';
import type { Io } from '../io.js';
import { namedPath, requireFile } from '../project/named-file.js';

/** As much as the store takes in one blob, spelled out in JSON. */
const LINE_LIMIT = 256 * 1024 * 1024;
const FILE_LIMIT = 1024 * 1024 * 1024;

/**
 * The lines of an exported run; `-` is standard input. One that is too long is empty, and bytes that are not UTF-8
 * are replaced: neither fits the sums of the file, so whoever reads it finds the line damaged.
 */
export async function* exportLines(named: string, io: Io): AsyncIterable<string> {
  const stream = named === '-' ? io.stdin : fileBytes(named, io);
  for await (const line of linesOf(stream, LINE_LIMIT)) yield Buffer.from(line ?? []).toString();
}

async function* fileBytes(named: string, io: Io): AsyncIterable<Uint8Array> {
  const { disk, path } = await namedPath(io.cwd, named);
  yield requireFile(await disk.readBytes(path, { limit: FILE_LIMIT }), named);
}

/** Whether a file is an exported run rather than a database, by how it begins. Damage of either changes that rarely. */
export async function isExport(named: string, io: Io): Promise<boolean> {
  if (named === '-') return true;
  const { disk, path } = await namedPath(io.cwd, named);
  const bytes = requireFile(await disk.readBytes(path, { limit: 64, beginning: true }), named);
  const head = Buffer.from(bytes).toString('latin1');
  return head.startsWith('{') || head.includes('"cuebook"');
}
