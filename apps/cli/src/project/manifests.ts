import { basename, extname, relative } from 'node:path';
import { DEFAULT_READ_LIMIT, type Files, memorySource, type TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { AGENT_VERSIONS, createManifestProfile } from '@cuebook/manifest';
import { findProblems, findTargets } from '@cuebook/profile';
import { type Diagnostic, hasErrors, nearest } from '@cuebook/prompt';
import type { Flags } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import { readStdin } from '../input/stdin.js';
import type { Io } from '../io.js';
import { type Bench, openBenchAt } from './bench.js';
import { projectOrHere } from './find.js';
import { namedPath, requireFile } from './named-file.js';
import { isOutside } from './watchable.js';

/**
 * A bench over manifests that the caller named with `-f`. They are read once, here. The project around says
 * what is private; without one this folder stands in.
 */
export async function openManifests(named: readonly string[], flags: Flags, io: Io): Promise<Bench> {
  return manifestsOn(await openBenchAt(await projectOrHere(flags, io), io, []), named, io);
}

/** The same on the bench of the project around. */
export async function manifestsOn(bench: Bench, named: readonly string[], io: Io): Promise<Bench> {
  const profile = createManifestProfile({ folder: '.', everyFile: true });
  return { ...bench, profiles: [profile], project: await readNamed(named, bench.folder, io) };
}

/** The target of the Agent that is meant: the one named, or the only one. */
export async function requireAgent(bench: Bench, named: string | undefined): Promise<string> {
  const targets = await findTargets(bench);
  const names = targets.map((target) => target.slice(target.indexOf(':') + 1));
  const list = names.join(', ');
  const [only] = targets;
  if (only === undefined) throw await noAgent(bench);
  if (named === undefined) {
    if (targets.length === 1) return only;
    throw usage(`The manifests hold ${names.length} Agents: name one with --agent. There are ${list}`);
  }
  const meant = names.filter((name) => name === named || name.endsWith(`/${named}`));
  if (meant.length === 1) return `manifest:${meant[0]}`;
  if (meant.length > 1) throw usage(`--agent ${named} can be ${meant.join(' or ')}`);
  const near = nearest(named, names) ?? names.find((name) => nearest(named, [bareName(name)]) !== undefined);
  const advice = near === undefined ? `There are ${list}` : `Did you mean ${near}?`;
  throw new Failure('E_TARGET', `No Agent of the manifests is called "${named}". ${advice}`);
}

const bareName = (name: string): string => name.slice(name.indexOf('/') + 1);

/** What keeps manifests from holding an Agent: whatever is wrong with them, or that there is none. */
async function noAgent(bench: Bench): Promise<Failure> {
  const problems = await findProblems(bench);
  return diagnosed(hasErrors(problems) ? problems : [...problems, NO_AGENT]);
}

/** Manifests without an Agent. */
export const NO_AGENT: Diagnostic = {
  code: 'E_TARGET',
  severity: 'error',
  message: `The manifests hold no Agent of ${AGENT_VERSIONS.join(' or ')}`,
};

const readNamed = async (named: readonly string[], folder: string, io: Io): Promise<TextSource> =>
  requireFile(memorySource(Object.fromEntries(await readTexts(named, folder, io))), named.join(', '));

/** The manifests that the caller named, by the names they are told by. */
export async function readTexts(
  named: readonly string[],
  folder: string,
  io: Io,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  let size = 0;
  const add = (name: string, text: string): void => {
    size += text.length;
    if (guard('manifests.limit', size > TOTAL_LIMIT)) {
      throw new Failure(
        'E_FILE_TOO_LARGE',
        `Too large: the manifests have more than ${TOTAL_LIMIT} characters.`,
      );
    }
    texts.set(freeName(name, texts), text);
  };
  for (const each of [...new Set(named)]) {
    if (each === '-') {
      add('stdin', await readStdin(io));
      continue;
    }
    const { disk, path, full } = await namedPath(io.cwd, each);
    const { kind } = requireFile(await disk.stat(path), each);
    const top = shownName(relativeOf(folder, full));
    if (kind !== 'directory') {
      add(top, requireFile(await disk.readText(path), each));
      continue;
    }
    for (const found of await manifestsBelow(disk, path, each)) {
      const below = found.slice(path === '.' ? 0 : path.length + 1);
      const name = top === '.' ? below : `${top}/${below}`;
      add(name, requireFile(await disk.readText(found), `${each}/${below}`));
    }
  }
  return texts;
}

/** Four times what one file may have. */
const TOTAL_LIMIT = 4 * DEFAULT_READ_LIMIT;

async function manifestsBelow(disk: Files, path: string, named: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const each of disk.walk(path)) {
    const file = requireFile(each, named);
    if (/\.(?:ya?ml|json)$/i.test(file)) found.push(file);
  }
  return found;
}

const relativeOf = (folder: string, full: string): string =>
  relative(folder, full).replaceAll('\\', '/') || '.';

/** A file outside the folder is told by its last name: where it lies may be private. */
const shownName = (path: string): string => (isOutside(path) ? basename(path) : path);

/** The name, or the next free one of its kind, that a source in memory can hold. */
function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  const plain = memorySource({ [name]: '' }).ok ? name : 'manifest.yaml';
  const ending = extname(plain);
  let free = plain;
  for (let n = 2; taken.has(free); n += 1)
    free = `${plain.slice(0, plain.length - ending.length)}~${n}${ending}`;
  return free;
}
