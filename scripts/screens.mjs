// @ts-check
import './node-version.mjs';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, run } from './process.mjs';

// Makes the pictures of the documentation again: the browser tests take a picture of every screen, and those that
// docs/screens has are replaced. The others stay in .cache/screenshots, to look at.

const TAKEN = '.cache/screenshots';
const DOCS = join(ROOT, 'docs', 'screens');

/** Replaces the pictures of a folder by those of the same name that were taken. Answers which were not. */
export function replacePictures(/** @type {string} */ taken, /** @type {string} */ docs) {
  const names = readdirSync(docs).filter((name) => name.endsWith('.webp'));
  const missing = names.filter((name) => !existsSync(join(taken, name)));
  for (const name of names) if (!missing.includes(name)) copyFileSync(join(taken, name), join(docs, name));
  return { replaced: names.length - missing.length, missing };
}

async function main() {
  const taken = join(ROOT, TAKEN);
  rmSync(taken, { recursive: true, force: true });
  mkdirSync(taken, { recursive: true });
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'apps/web/test'];
  const code = await run(process.execPath, args, { env: { ...process.env, SHOTS: TAKEN } });
  const { replaced, missing } = replacePictures(taken, DOCS);
  console.log(`${replaced} pictures of docs/screens were made again`);
  if (missing.length > 0) console.error(`No test takes these pictures: ${missing.join(', ')}`);
  process.exitCode = code === 0 && missing.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
