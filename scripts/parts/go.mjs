// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { capture } from '../process.mjs';

/** The release whose templates ours are compared with: error texts change between releases. */
const RELEASE = '1.27';
const PACKAGES = [`golang-${RELEASE}-go`, `golang-${RELEASE}-src`];

/** Outlives a checkout, because the packages are large. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cuebook');
const TREE = join(CACHE, `go-${RELEASE}-${process.arch}`);

/** The program, once `prepareGo` has unpacked it. Its tree links only within itself, so it may stand anywhere. */
export const GO_PROGRAM = join(TREE, 'usr', 'lib', `go-${RELEASE}`, 'bin', 'go');

/**
 * True for a `go` of the release that the tests are about.
 *
 * @param {string} path
 */
export function isRightGo(path) {
  try {
    const env = { ...process.env, GOTOOLCHAIN: 'local' };
    const version = execFileSync(path, ['env', 'GOVERSION'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    return version.toString().startsWith(`go${RELEASE}`);
  } catch {
    return false; // Not runnable here: the next candidate decides.
  }
}

/**
 * Unpacks Debian's newest Go into the cache folder: downloaded and checked against Debian's signatures by apt,
 * with lists and state of its own, so that the system stays as it is. The mirror is the one the system uses.
 *
 * @returns {Promise<string | undefined>} what went wrong
 */
export async function prepareGo() {
  if (!existsSync('/etc/debian_version') || !KEYRING) return 'only Debian has it as a signed package';
  mkdirSync(CACHE, { recursive: true });
  const desk = mkdtempSync(join(CACHE, 'go-'));
  try {
    const mirrors = await findMirrors(desk);
    console.log(`Unpacking ${PACKAGES.join(' and ')} below ${CACHE} …`);
    let problem = 'the package sources of this system name no mirror';
    for (const mirror of mirrors) {
      const failed = await unpack(desk, mirror);
      if (!failed) return undefined;
      problem = failed;
    }
    return problem;
  } finally {
    rmSync(desk, { recursive: true, force: true });
  }
}

const KEYRING = ['pgp', 'gpg']
  .map((ending) => `/usr/share/keyrings/debian-archive-keyring.${ending}`)
  .find((file) => existsSync(file));

/**
 * The archives that the system's own package sources name, in whichever format they are written.
 *
 * @param {string} desk
 * @returns {Promise<readonly string[]>}
 */
async function findMirrors(desk) {
  const { stdout } = await apt(desk, [], ['update', '--print-uris']);
  const found = [...stdout.matchAll(/^'([^']+)\/dists\/[^/']+\/InRelease'/gm)].map(([, uri = '']) => uri);
  // An archive of updates alone does not have the newest suite.
  return [...new Set(found)].filter((uri) => !/security|updates|backports/.test(uri));
}

/**
 * @param {string} desk
 * @param {string} mirror
 * @returns {Promise<string | undefined>} what went wrong
 */
async function unpack(desk, mirror) {
  const sources = join(desk, 'newest.sources');
  const tree = join(desk, 'tree');
  writeFileSync(
    sources,
    `Types: deb\nURIs: ${mirror}\nSuites: sid\nComponents: main\nSigned-By: ${KEYRING}\n`,
  );
  const only = ['-o', `Dir::Etc::SourceList=${sources}`, '-o', 'Dir::Etc::SourceParts=-'];
  const steps = [
    () => apt(desk, only, ['-qq', '-o', 'APT::Update::Error-Mode=any', 'update']),
    () => apt(desk, only, ['-qq', 'download', ...PACKAGES]),
    () =>
      capture('sh', ['-c', `for f in golang-*.deb; do dpkg-deb -x "$f" tree || exit; done`], { cwd: desk }),
  ];
  for (const step of steps) {
    const { code, output } = await step();
    if (code !== 0) return `${PACKAGES.join(' and ')}: ${output.trim().split('\n').at(-1)}`;
  }
  // Whole or not at all: another run may look for it, or bring it, at the same time.
  if (!existsSync(GO_PROGRAM)) rmSync(TREE, { recursive: true, force: true });
  if (!existsSync(TREE)) renameSync(tree, TREE);
  return isRightGo(GO_PROGRAM) ? undefined : `${GO_PROGRAM} is not Go ${RELEASE}`;
}

/**
 * @param {string} desk
 * @param {readonly string[]} options
 * @param {readonly string[]} command
 */
function apt(desk, options, command) {
  for (const folder of ['state/lists/partial', 'archives/partial'])
    mkdirSync(join(desk, folder), { recursive: true });
  const own = [`Dir::State=${join(desk, 'state')}`, 'Dir::State::status=/dev/null', `Dir::Cache=${desk}`];
  // apt gives downloads to a user of its own, who may not enter a home folder. It checks signatures either way.
  const user = process.getuid?.() === 0 ? ['APT::Sandbox::User=root'] : [];
  const settings = [...own, ...user].flatMap((setting) => ['-o', setting]);
  return capture('apt-get', [...settings, ...options, ...command], { cwd: desk, limitMs: 300_000 });
}
