import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import Database from 'libsql';

/**
 * All bytes below a CUEBOOK_HOME as one text: each file as it is, and each cell of its journal, also unpacked. The
 * workspaces of teams are the work itself, and left out.
 */
export function homeBytes(home: string): string {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(home, 'workspaces')))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const cells = entry.name === 'journal.db' ? cellsOf(path) : [];
      return [readFileSync(path), ...cells].flatMap(unpacked).join('\n');
    })
    .join('\n');
}

function cellsOf(file: string): readonly Buffer[] {
  const database = new Database(file, { readonly: true });
  const read = (sql: string) => database.prepare(sql).raw(true).all([]) as unknown[][];
  const cells = read("SELECT name FROM sqlite_master WHERE type = 'table'").flatMap(([name]) =>
    read(`SELECT * FROM ${String(name)}`).flat(),
  );
  database.close();
  return cells.flatMap((cell) => {
    if (typeof cell === 'string') return [Buffer.from(cell)];
    return cell instanceof Uint8Array || Buffer.isBuffer(cell) ? [Buffer.from(cell)] : [];
  });
}

/** Bytes as they stand, and as whatever packed them gives them back; a packed cell may have a few bytes before it. */
function unpacked(bytes: Buffer): readonly string[] {
  const ways = [brotliDecompressSync, gunzipSync, inflateSync];
  const found = ways.flatMap((unpack) =>
    [0, 1, 2, 4, 5, 8].flatMap((from) => {
      try {
        return [unpack(bytes.subarray(from)).toString('latin1')];
      } catch {
        return []; // Not packed this way.
      }
    }),
  );
  return [bytes.toString('latin1'), ...found];
}
