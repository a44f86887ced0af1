// @ts-check
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { capture, ROOT } from './process.mjs';
import { makePlatform } from './start/platform.mjs';
import { startOthers } from './start/runs.mjs';
import { hasGit, isSample, makeSample } from './start/sample.mjs';

// The server of a sample repository in which a rehearsed team is at work: a script speaks, so no key is needed. At a
// terminal the team is shown and answered here; the same can be done behind the link and from another terminal. The
// next start goes on with the same sample, its record and its address.

const USAGE = `npm start                 the sample in .cache/start: made once, kept from then on
npm start -- FOLDER       the sample in another folder
npm start -- --fresh      a new one in its place`;

// npm works at the top of the checkout; a folder is named from where the person is.
const HERE = process.env.npm_lifecycle_event === 'start' ? (process.env.INIT_CWD ?? ROOT) : process.cwd();
const CLI = join(ROOT, 'apps', 'cli', 'bin', 'cuebook.js');
const { folder: named, isFresh } = readArguments(process.argv.slice(2));
const FOLDER = named === undefined ? join(ROOT, '.cache', 'start') : resolve(HERE, named);
const PLACE = named ?? (relative(HERE, FOLDER) || '.');
const IN_PLACE = ['--project', PLACE];
/** How a run stands that can go on. */
const OPEN = new Set(['running', 'waiting', 'interrupted', 'paused', 'open']);

if (!hasGit()) stop(3, 'git was not found: the workspaces of a team need it. Install git; nothing was made.');
if (existsSync(FOLDER) && !isSample(FOLDER))
  stop(2, `${PLACE} is there already and is no sample: name a folder that is not there.`);
await ensureInstalled();
const { commandLine, quoted } = await import('../packages/prompt/dist/hint.js');
const { programOf } = await import('../apps/cli/dist/hint/program.js');
const { typed } = await import('../apps/cli/dist/hint/typed.js');
const program = programOf({ script: CLI, cwd: HERE, env: process.env });

if (isFresh && existsSync(FOLDER)) {
  const running = await findRunning();
  if (running !== undefined)
    stop(2, `The server of ${PLACE} is up (process ${running}): stop it first, with Ctrl-C where it runs.`);
  rmSync(FOLDER, { recursive: true });
}
if (!existsSync(FOLDER)) {
  const { WORKFLOW_TEMPLATE } = await import('../apps/cli/dist/init/workflow/template.js');
  const workflow = Object.entries(WORKFLOW_TEMPLATE).filter(([path]) => path.startsWith('workflows/'));
  makeSample(FOLDER, Object.fromEntries(workflow));
  const parts = {
    bundle: await import('../packages/bundle/dist/index.js'),
    files: await import('../packages/files/dist/index.js'),
    platform: await import('../packages/platform/dist/index.js'),
  };
  await makePlatform(join(FOLDER, '.cuebook'), parts);
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  // A terminal tells them, too; whoever tells only us means all.
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
const server = start(['up', '--json', ...IN_PLACE], ['ignore', 'pipe', 'inherit']);
let isOwn = true;
server.on('exit', (code) => {
  if (isOwn) process.exit(code ?? 0);
});
const { link, isUp } = await firstAnswer();
isOwn = isUp !== true;
console.log(`Cuebook is up${isOwn ? '' : ' already'}: ${link}\n`);

const last = await lastRun();
if (last === undefined) {
  await startOthers(link);
  console.log(`A rehearsed team is at work in ${PLACE}: a script speaks, no model is asked.\n`);
  await show(['run', 'team:team.yaml', '--script', join(PLACE, 'script.yaml'), ...IN_PLACE]);
} else if (OPEN.has(last.status)) {
  console.log(`The team of last time is in ${PLACE}, and goes on.\n`);
  await show(['attach', last.run, ...IN_PLACE]);
} else {
  console.log(`The run of last time is ${last.status}: ${last.run} in ${PLACE}. Nothing of it was changed.`);
}
console.log(`\nOpen ${link}\n${whatToType((await lastRun())?.run ?? 'RUN')}`);
if (isOwn) console.log('Ctrl-C stops the server.');

/** @param {readonly string[]} args @returns {{ folder: string | undefined, isFresh: boolean }} */
function readArguments(args) {
  const folders = args.filter((arg) => !arg.startsWith('-'));
  const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--fresh');
  if (unknown === '--help' || unknown === '-h') stop(0, USAGE);
  if (unknown !== undefined || folders.length > 1)
    stop(2, `${unknown ?? folders[1]} has no place here.\n${USAGE}`);
  return { folder: folders[0], isFresh: args.includes('--fresh') };
}

/** @param {number} code @param {string} text @returns {never} */
function stop(code, text) {
  (code === 0 ? console.log : console.error)(text);
  process.exit(code);
}

/** @param {readonly string[]} args @param {import('node:child_process').StdioOptions} stdio */
function start(args, stdio) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: HERE, stdio });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

/** Gives a command our own streams until it ends: at a terminal it shows the team and takes answers. @param {readonly string[]} args */
function show(args) {
  return new Promise((resolve) => start(args, 'inherit').on('close', resolve));
}

/** The link of the server: the one that was started, or the one that another process has up. */
function firstAnswer() {
  let text = '';
  return new Promise((/** @type {(answer: { link: string, isUp?: boolean }) => void} */ resolve) => {
    server.stdout?.setEncoding('utf8').on('data', (part) => {
      text += part;
      try {
        const answer = JSON.parse(text);
        isOwn = answer.isUp !== true;
        resolve(answer);
      } catch {
        // The rest of it is still to come.
      }
    });
  });
}

/** The process that serves the sample, if one does. */
async function findRunning() {
  const { findServer } = await import('../apps/server/dist/start/find-server.js');
  return (await findServer(join(FOLDER, '.cuebook')))?.pid;
}

/** The run of the sample's team, if there is one. */
async function lastRun() {
  const { stdout } = await capture(process.execPath, [CLI, 'runs', '--json', ...IN_PLACE], { cwd: HERE });
  try {
    /** @type {readonly { run: string, status: string, kind: string }[]} */
    const runs = JSON.parse(stdout).runs ?? [];
    return runs.find(({ kind }) => kind === 'team');
  } catch {
    return undefined;
  }
}

/** @param {string} run */
function whatToType(run) {
  const io = { typing: { program, project: PLACE } };
  /** @type {readonly (readonly [string, string])[]} */
  const rows = [
    [typed(io, commandLine`attach`), 'watch it, allow, deny or change what waits, speak to a node'],
    [typed(io, commandLine`approvals`), 'what waits for you'],
    [typed(io, commandLine`runs apply ${run} --dry-run`), 'what its run would bring into the sample'],
    [
      `npm start --${named === undefined ? '' : ` ${quoted(named)}`} --fresh`,
      'a new sample in place of this one',
    ],
  ];
  const width = Math.max(...rows.map(([line]) => line.length));
  return [
    'or, in another terminal in this folder:',
    ...rows.map(([a, b]) => `  ${a.padEnd(width)}  ${b}`),
  ].join('\n');
}
