// @ts-check
import { accessSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from '../process.mjs';
import { PARTS } from './table.mjs';

/** Where tests read which parts are there. */
export const STATUS_FILE = join(ROOT, '.cache', 'parts.json');

/**
 * @typedef {object} PartStatus
 * @property {string} name
 * @property {string | null} path
 * @property {string} reason why it is not there; empty when it is
 * @property {readonly string[]} usedBy
 */

/**
 * Looks for every part and writes the status file. `reasons` says, by part, why preparing one failed.
 *
 * @param {Readonly<Record<string, string>>} [reasons]
 * @returns {readonly PartStatus[]}
 */
export function writeStatus(reasons = {}) {
  const status = PARTS.map((part) => {
    const path = findPart(part);
    const why = [reasons[part.name], part.otherwise].filter(Boolean).join('; ');
    const reason = path ? '' : `${part.name} is missing: ${why}`;
    return { name: part.name, path: path ?? null, reason, usedBy: part.usedBy };
  });
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(STATUS_FILE, `${JSON.stringify(status, null, 2)}\n`);
  return status;
}

/**
 * The full path of a part, or undefined.
 *
 * @param {import('./table.mjs').Part} part
 */
export function findPart(part) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = part.programs.flatMap((program) => folders.map((folder) => join(folder, program)));
  return [...onPath, ...part.places].find((path) => isProgram(path) && (part.isRight?.(path) ?? true));
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Not there, or not ours to run: the next candidate decides.
  }
}

if (process.argv[1] === import.meta.filename) writeStatus();
