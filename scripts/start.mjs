// @ts-check
import './node-version.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { ROOT, run } from './process.mjs';

// The server of a sample repository in which a rehearsed team is at work: a script speaks, so no key is needed. What
// happens is printed here, and the same can be seen and steered behind the link and from another terminal. The sample is
// made afresh each time; `npm start -- FOLDER` makes it in a new folder instead.

const named = process.argv[2];
const PLACE = named ?? '.cache/start';
const FOLDER = resolve(ROOT, PLACE);
const CLI = join(ROOT, 'apps', 'cli', 'bin', 'cuebook.js');
const IN_PLACE = ['--project', PLACE];

await ensureInstalled();
if (named !== undefined && existsSync(FOLDER)) {
  console.error(`${named} is there already: name a folder that is not.`);
  process.exit(2);
}
const running = placeOfServer();
if (running !== undefined) {
  console.log(`It is up already: ${running}\n${whatToType()}`);
  process.exit(0);
}
makeSample();
const server = spawn(process.execPath, [CLI, 'up', '--json', ...IN_PLACE], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  // A terminal tells the server, too; whoever tells only us means both.
  process.on(signal, () => server.kill(signal));
}
server.on('exit', (code) => process.exit(code ?? 0));
const link = await firstLink();
console.log(`Cuebook is up: ${link}\n`);
console.log(`A rehearsed team is at work in ${PLACE}: a script speaks, no model is asked.\n`);
const script = join(FOLDER, 'script.yaml');
await run(process.execPath, [CLI, 'run', 'team:team.yaml', '--script', script, ...IN_PLACE]);
console.log(`\nOpen ${link}\n${whatToType()}\nCtrl-C stops the server.`);

/** A fresh copy of the example, as a repository of its own. */
function makeSample() {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  cpSync(join(ROOT, 'examples', 'team-rehearsal'), FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, '.gitignore'), '.cuebook/\n');
  try {
    const person = ['-c', 'user.name=You', '-c', 'user.email=you@example.com', '-c', 'commit.gpgSign=false'];
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all'],
      ['commit', '--quiet', '--message', 'A greeter'],
    ]) {
      execFileSync('git', [...person, ...args], { cwd: FOLDER, stdio: 'ignore' });
    }
  } catch {
    console.error('git was not found: workspaces and diffs of nodes need it.');
    process.exit(3);
  }
}

/** The link of a server that an earlier call left running. */
function placeOfServer() {
  const [place, token] = ['server.json', 'server.token'].map((name) => join(FOLDER, '.cuebook', name));
  if (place === undefined || !existsSync(place)) return undefined;
  try {
    const { url, pid } = JSON.parse(readFileSync(place, 'utf8'));
    process.kill(pid, 0);
    const secret = token !== undefined && existsSync(token) ? readFileSync(token, 'utf8').trim() : '';
    return `${url}/#token=${secret}`;
  } catch {
    return undefined; // What a dead one left.
  }
}

/** @returns {Promise<string>} */
function firstLink() {
  return new Promise((resolve) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      const found = /"link":\s*"([^"]+)"/.exec(text);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
  });
}

function whatToType() {
  const cuebook = 'npx --no-install cuebook';
  return [
    'or, in another terminal in this folder:',
    `  ${cuebook} attach --project ${PLACE}       watch it, allow, deny or change what waits, speak to a node`,
    `  ${cuebook} approvals --project ${PLACE}    what waits for you`,
    `  ${cuebook} runs --project ${PLACE}         the run, then: runs apply RUN --project ${PLACE} --dry-run`,
  ].join('\n');
}
