// @ts-check
import '../node-version.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepFamily } from '../family/keep.mjs';
import { ensureInstalled } from '../install.mjs';
import { capture, ROOT, run } from '../process.mjs';
import { environmentOf, findNode } from './with-node.mjs';

// A short look at whether the product works on other versions of Node: `npm run nodes -- 22 24`. The whole suite on
// another version is `npm test -- --node VERSION`.

const VERSIONS = ['22', '24'];
/** What depends most on the version: threads, processes, files, native modules. */
const SUITES = [
  'packages/define/src/live',
  'packages/files/src/lock',
  'packages/journal/src/sqlite',
  'packages/provider/src/process',
  'packages/template/test/cases',
];
/** A project as `cuebook init` makes it: checked, rendered, run by its script, its record verified. */
const COMMANDS = [
  ['init', 'desk'],
  ['check', '--project', 'desk'],
  ['render', 'sheet:review', '--project', 'desk', '--json'],
  ['run', 'sheet:review', '--project', 'desk'],
  ['verify', '--project', 'desk'],
];
const CLI = join(ROOT, 'apps', 'cli', 'bin', 'cuebook.js');

const endFamily = keepFamily();
await ensureInstalled();
const wanted = process.argv.slice(2);
let failures = 0;
for (const version of wanted.length > 0 ? wanted : VERSIONS) {
  const program = await findNode(version);
  const found = (await capture(program, ['--version'])).stdout.trim();
  const problems = [...(await tryCommands(program)), ...(await trySuites(program))];
  for (const problem of problems) console.log(`Node ${found}: ${problem}`);
  if (problems.length === 0) console.log(`Node ${found}: works`);
  failures += problems.length;
}
process.exitCode = failures > 0 ? 1 : 0;
await endFamily();

/** @param {string} program */
async function tryCommands(program) {
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-smoke-'));
  const cuebook = (/** @type {string[]} */ ...args) =>
    capture(program, [CLI, ...args], { cwd: folder, env: environmentOf(program) });
  try {
    /** @type {string[]} */
    const problems = [];
    for (const args of COMMANDS) {
      const { code, output } = await cuebook(...args);
      if (code !== 0)
        problems.push(`cuebook ${args.join(' ')} ended with code ${code}: ${output.slice(-500)}`);
      if (code !== 0) break;
    }
    return problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} program */
async function trySuites(program) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const code = await run(program, [vitest, 'run', '--reporter=dot', ...SUITES], {
    env: environmentOf(program),
  });
  return code === 0 ? [] : [`its suites ended with code ${code}, see above`];
}
