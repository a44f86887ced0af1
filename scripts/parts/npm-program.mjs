// @ts-check
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { capture, npmCommand, npmEnvironment } from '../process.mjs';

/**
 * A program that npm brings, at one version.
 *
 * @typedef {object} NpmProgram
 * @property {string} name
 * @property {string} version
 * @property {string} spec what npm is asked for
 * @property {readonly string[]} programs where the program may be, below `node_modules`
 * @property {readonly string[]} omit kinds of dependencies that its tests do not need
 */

const { arch, platform } = process;

/**
 * @param {string} name
 * @param {string} pack
 * @param {string} version
 * @param {readonly string[]} programs
 * @param {readonly string[]} [omit]
 * @returns {NpmProgram}
 */
export function npmProgram(name, pack, version, programs, omit = []) {
  return { name, version, spec: `${pack}@${version}`, programs, omit };
}

/** @param {NpmProgram} wanted */
export const placesOf = (wanted) =>
  wanted.programs.map((program) => join(treeOf(wanted), 'node_modules', program));

/**
 * Answers whether a program is the one wanted, at its version. One that we installed is known by its folder: asking it
 * takes seconds.
 *
 * @param {NpmProgram} wanted
 */
export const isRightProgram = (wanted) => (/** @type {string} */ path) => {
  if (placesOf(wanted).includes(path)) return true;
  try {
    const answer = execFileSync(path, ['--version'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 15_000,
    });
    return answer.toString().split(/\s+/).includes(wanted.version);
  } catch {
    return false; // Not runnable here: the next candidate decides.
  }
};

/**
 * Installs a program into the cache folder, in a folder of its own and under a name of its own until it is whole.
 * No install script runs.
 *
 * @param {NpmProgram} wanted
 * @returns {() => Promise<string | undefined>} answers what went wrong
 */
export const prepareProgram = (wanted) => async () => {
  mkdirSync(CACHE, { recursive: true });
  sweep();
  const desk = mkdtempSync(join(CACHE, DESK));
  try {
    console.log(`Installing ${wanted.spec} below ${CACHE} …`);
    const failed = await install(wanted, desk);
    return failed ? `${wanted.spec}: ${failed}; the next run tries again` : undefined;
  } finally {
    rmSync(desk, { recursive: true, force: true });
  }
};

/** Outlives a checkout, because the packages are large. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cuebook');
const DESK = '.installing-';
const LIMIT_MS = 600_000;

/** @param {NpmProgram} wanted */
function treeOf(wanted) {
  return join(CACHE, `${wanted.name}-${wanted.version}-${arch}`);
}

/**
 * @param {NpmProgram} wanted
 * @param {string} desk
 * @returns {Promise<string | undefined>} what went wrong
 */
async function install(wanted, desk) {
  writeFileSync(join(desk, 'package.json'), '{ "private": true }\n');
  const [npm, ...first] = npmCommand();
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  const omitted = wanted.omit.map((kind) => `--omit=${kind}`);
  const { code, output } = await capture(npm, [...first, 'install', ...options, ...omitted, wanted.spec], {
    cwd: desk,
    env: npmEnvironment(),
    limitMs: LIMIT_MS,
  });
  if (code === 124) return `npm took longer than ${LIMIT_MS / 60_000} minutes`;
  if (code !== 0) return reasonIn(output) || `npm ended with code ${code}`;
  const tree = treeOf(wanted);
  if (!wanted.programs.some((program) => existsSync(join(desk, 'node_modules', program))))
    return `it has no program for ${platform} on ${arch}`;
  // Whole or not at all: another run may look for it, or bring it, at the same time.
  if (!placesOf(wanted).some((place) => existsSync(place))) rmSync(tree, { recursive: true, force: true });
  if (!existsSync(tree)) renameSync(desk, tree);
  console.log(`${wanted.spec}: ${Math.round(sizeOf(tree) / 1e6)} MB in ${tree}`);
  return undefined;
}

/**
 * What npm says went wrong: its first two lines name the code and the cause, its last only a log file.
 *
 * @param {string} output
 */
function reasonIn(output) {
  const lines = output.split('\n').filter((line) => line.startsWith('npm error '));
  return lines
    .slice(0, 2)
    .map((line) => line.slice('npm error '.length).trim())
    .join(', ');
}

/** Takes away what installations left that were cut off. */
function sweep() {
  for (const name of readdirSync(CACHE).filter((entry) => entry.startsWith(DESK))) {
    const desk = join(CACHE, name);
    const made = statSync(desk, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > 2 * LIMIT_MS) rmSync(desk, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @returns {number} bytes
 */
function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0);
}
