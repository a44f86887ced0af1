// @ts-check
import { existsSync } from 'node:fs';
import { run } from '../process.mjs';
import { findPart, writeStatus } from './probe.mjs';
import { PARTS } from './table.mjs';

/**
 * Brings in the parts that tests use and this machine lacks: on Debian as root by installing packages,
 * elsewhere by saying what to install. Never fails: a part that stays away is a skip with its reason.
 */
export async function prepareParts() {
  const missing = PARTS.filter((part) => part.usedBy.length > 0 && !findPart(part));
  if (missing.length === 0) return writeStatus();
  if (!canInstall()) {
    for (const part of missing)
      console.log(`Not here: ${part.name}. Its tests are skipped; ${part.otherwise}.`);
    return writeStatus();
  }
  const failed = await installPackages(missing.flatMap((part) => part.debian));
  return writeStatus(failed ? Object.fromEntries(missing.map((part) => [part.name, failed])) : {});
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
