import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './root.js';
import { workspaces } from './workspaces.js';

/** An error code with what it means, where it is registered. */
export interface RegisteredCode {
  readonly code: string;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly package: string;
}

/** Every entry of every `codes.ts`, by code. */
export async function registeredCodes(): Promise<ReadonlyMap<string, RegisteredCode>> {
  const found = new Map<string, RegisteredCode>();
  for (const { folder } of workspaces()) {
    const file = join(ROOT, folder, 'src', 'codes.ts');
    if (!existsSync(file)) continue;
    const exports = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    for (const [name, table] of Object.entries(exports)) {
      if (!name.endsWith('_CODES')) continue;
      for (const [code, entry] of Object.entries(table as Record<string, RegisteredCode>)) {
        const first = found.get(code);
        if (first && first.package !== folder)
          throw new Error(`${code} is registered in ${first.package} and ${folder}`);
        found.set(code, { ...entry, code, package: folder });
      }
    }
  }
  return found;
}
