import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.js';

/** A package or an app of this checkout. */
export interface Workspace {
  /** From the top of the checkout, such as `packages/prompt`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The fields of a package.json that tests read. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** All packages and apps, packages first. */
export function workspaces(): readonly Workspace[] {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
      .map((folder) => ({ folder, manifest: readManifest(folder) })),
  );
}

/** The files under a folder with the given endings, from the top of the checkout, sorted. */
export function filesUnder(folder: string, endings: readonly string[]): readonly string[] {
  const full = join(ROOT, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !path.includes('node_modules/'))
    .sort();
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
