import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Files, openFolder } from '@cuebook/files';
import { onTestFinished } from 'vitest';

/** A folder that is gone after the test. */
export function makeRoot(tree: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'workflow-test-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  plant(root, tree);
  return root;
}

export function plant(root: string, tree: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

export async function makeFolder(
  tree: Readonly<Record<string, string>>,
): Promise<{ readonly folder: string; readonly files: Files }> {
  const folder = makeRoot(tree);
  const files = await openFolder(folder);
  if (!files.ok) throw new Error(files.error.code);
  return { folder, files: files.value };
}
