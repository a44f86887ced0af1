// @ts-check
import { existsSync } from 'node:fs';
import { run } from '../process.mjs';
import { findPart, writeStatus } from './probe.mjs';
import { PARTS } from './table.mjs';

/**
 * Brings in the parts that tests use and this machine lacks: those that can be had without touching the system
 * that way, the others on Debian as root by installing packages, elsewhere by saying what to install. Never
 * fails: a part that stays away is a skip with its reason.
 *
 * @param {(part: import('./table.mjs').Part) => boolean} [isNeeded] by default every part that a test uses
 */
export async function prepareParts(isNeeded = (part) => part.usedBy.length > 0) {
  const missing = PARTS.filter((part) => isNeeded(part) && !findPart(part));
  /** @type {Record<string, string>} */
  const reasons = {};
  for (const { name, prepare } of missing) {
    const failed = await prepare?.();
    if (failed) reasons[name] = failed;
  }
  const packaged = missing.filter((part) => !part.prepare);
  const failed =
    packaged.length > 0 && canInstall()
      ? await installPackages(packaged.flatMap((part) => part.debian))
      : undefined;
  for (const { name } of packaged) if (failed) reasons[name] = failed;
  for (const { name, otherwise } of missing.filter((part) => !findPart(part)))
    console.log(
      `Not here: ${name}. Its tests are skipped; ${[reasons[name], otherwise].filter(Boolean).join('; ')}.`,
    );
  return writeStatus(reasons);
}

const canInstall = () => existsSync('/etc/debian_version') && process.getuid?.() === 0;

/**
 * @param {readonly string[]} packages
 * @returns {Promise<string | undefined>} what went wrong
 */
async function installPackages(packages) {
  console.log(`Installing Debian packages: ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = await run('apt-get', ['update', '-qq'], { env });
  if (update !== 0) console.log('apt-get update failed; trying with the package lists at hand.');
  const options = ['-y', '-qq', '--no-install-recommends', '-o', 'Dpkg::Use-Pty=0'];
  const code = await run('apt-get', ['install', ...options, ...packages], { env });
  return code === 0 ? undefined : `apt-get install ${packages.join(' ')} ended with code ${code}`;
}
