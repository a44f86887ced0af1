import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.js';

/** One published package, installed alone outside the checkout. */
export interface Packed {
  readonly name: string;
  readonly folder: string;
  readonly tarball: string;
  readonly files: readonly string[];
  readonly error: string;
}

/** What the dry run of publishing left (scripts/pack.mjs): set-up of `npm test`, because it needs the network. */
export interface PackState {
  /** What the registry on 127.0.0.1 keeps: our packages, and all that they bring. */
  readonly registry: string;
  readonly packages: readonly Packed[];
  /** Other versions of Node, by what they were asked for. */
  readonly nodes: Readonly<Record<string, string>>;
}

/** Undefined where nothing is published yet. */
export function packState(): PackState | undefined {
  const file = join(ROOT, '.cache', 'pack.json');
  const state = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackState) : undefined;
  return state?.registry === undefined ? undefined : state;
}
