// @ts-check
import './node-version.mjs';
import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { capture, ROOT, run } from './process.mjs';

// The main job on the example project, in the terminal: the prompt an agent would be given, and where words
// of it come from. Each command is printed as a newcomer would type it.

const PROJECT = ['--project', 'examples/review-desk'];
const CLI = join(ROOT, 'apps', 'cli', 'bin', 'cuebook.js');

await ensureInstalled();
await show('render', 'sheet:review', ...PROJECT);
const place = await placeOfIncludedText();
if (place !== undefined) await show('explain', 'sheet:review', ...PROJECT, '--at', String(place));
console.log(
  '\nRepeat any of these with `npx --no-install cuebook …`; `npx --no-install cuebook help` lists the rest.',
);

/** @param {...string} args */
async function show(...args) {
  console.log(`\n$ cuebook ${args.join(' ')}`);
  const code = await run(process.execPath, [CLI, ...args]);
  if (code !== 0) process.exit(code);
}

/**
 * The byte, in the whole prompt, of the first text that came through an include inside an include. Blocks are
 * joined by a blank line and empty ones dropped, as `--at` counts.
 */
async function placeOfIncludedText() {
  const { stdout } = await capture(process.execPath, [CLI, 'render', 'sheet:review', ...PROJECT, '--json']);
  /** @type {{ blocks: Array<{ text: string, spans: Array<{ start: number, origin: { via?: unknown[] } }> }> }} */
  const document = JSON.parse(stdout);
  let before = 0;
  for (const block of document.blocks) {
    const span = block.spans.find((candidate) => (candidate.origin.via ?? []).length > 1);
    if (span) return before + span.start;
    if (block.text !== '') before += Buffer.byteLength(block.text) + 2;
  }
  return undefined;
}
