import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type RunId } from '@cuebook/journal';
import { createRedactor } from '@cuebook/prompt';
import { expect, it } from 'vitest';
import { createArtifacts } from './artifacts.js';

const RUN = 'run_1' as RunId;
const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

it('what is kept holds no credential, and is found by the hash of what is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'artifacts-'));
  const opened = await openStore({ file: join(folder, 'journal.db') });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const redactor = createRedactor({ roots: [], private: [], names: [] });
  const artifacts = createArtifacts({ store, hash, redactor }, () => undefined);
  const diff = '--- a/.env\n+++ b/.env\n@@ -0,0 +1 @@\n+TOKEN=glpat-Zx81bQ7mT3kW9vLr2cHd\n';
  const name = await artifacts.keep(RUN, 'diff', diff);
  const kept = await artifacts.find(RUN, name);
  expect(kept).toBe(diff.replace('glpat-Zx81bQ7mT3kW9vLr2cHd', '[removed:credential]'));
  expect(hash(kept ?? '')).toBe(name);
  expect(await artifacts.keep(RUN, 'diff', diff)).toBe(name);
  await store.close();
  rmSync(folder, { recursive: true });
});
