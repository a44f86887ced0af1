#!/usr/bin/env node
// Starts the built command. In a clone that is not built yet it builds once; anything else is said in words.
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REINSTALL =
  'The built files of the command cannot be loaded. Install the package again; in a clone run `npm ci`.';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop('E_NODE', `Node.js ${process.versions.node} is too old. Install Node.js 20.19 or later.`);
}

if (process.env.CUEBOOK_DEBUG === '1') process.setSourceMapsEnabled(true);
cacheCompiled();

try {
  await import('../dist/bin/main.js');
} catch (error) {
  if (process.env.CUEBOOK_DEBUG === '1') console.error(error);
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') stop('E_BUILD', REINSTALL);
  await build();
  await import('../dist/bin/main.js?built').catch(() => stop('E_BUILD', REINSTALL));
}

/**
 * Keeps what Node compiled for the next call, where it can (Node.js 22 and later). The folder is the user's own: what is
 * in it runs. A place that cannot be written is no failure; `NODE_DISABLE_COMPILE_CACHE=1` switches it off.
 */
function cacheCompiled() {
  const { HOME = '', XDG_CACHE_HOME, LOCALAPPDATA = '' } = process.env;
  const own = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME || HOME;
  // From a relative place it would lie in whatever folder is worked in. Nobody gets a home from here who has none.
  if (!isAbsolute(own) || !existsSync(own)) return;
  module.enableCompileCache?.(join(own === HOME ? join(HOME, '.cache') : own, 'cuebook', 'compiled'));
}

/** Builds the workspace two folders up, when this is a clone of it. */
async function build() {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  if (!isWorkspace(root)) stop('E_BUILD', REINSTALL);
  process.stderr.write('Building cuebook once…\n');
  // Loaded here: every call pays for what is loaded above.
  const { spawnSync } = await import('node:child_process');
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    stop('E_BUILD', 'The command could not be built. Run `npm ci` at the top of the checkout.');
}

/** @param {string} folder */
function isWorkspace(folder) {
  try {
    return createRequire(import.meta.url)(`${folder}package.json`).name === 'cuebook-workspace';
  } catch {
    // No package.json there: an installed package, not a clone.
    return false;
  }
}

/** @param {string} code @param {string} message */
function stop(code, message) {
  if (process.argv.includes('--json'))
    process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
  else process.stderr.write(`error ${code} ${message}\n`);
  process.exit(3);
}
