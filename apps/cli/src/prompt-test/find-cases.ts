import { posix, relative, resolve, sep } from 'node:path';
import { describeFileError, type TextSource } from '@cuebook/files';
import { parseTarget } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import { readCases, rowsNamed, type TestCase } from './case-file.js';

/** Where files of cases are looked for. Any other place can be named. */
const FOLDERS = ['agents', 'scenarios', 'tests'];

export interface WantedCases {
  /** What the call names: targets, files of cases, folders. */
  readonly named: readonly string[];
  /** A part of the name of a case. */
  readonly filter: string | undefined;
  readonly folder: string;
  readonly cwd: string;
}

export interface FoundCases {
  readonly cases: readonly TestCase[];
  /** Everything that is wrong with files of cases. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether these are all cases of their files. */
  readonly isWhole: boolean;
}

/** The cases of a project that a call asks for, by file and in the order of each. */
export async function findCases(project: TextSource, wanted: WantedCases): Promise<FoundCases> {
  const targets = wanted.named.filter((name) => parseTarget(name) !== undefined);
  const paths = wanted.named
    .filter((name) => parseTarget(name) === undefined)
    .map((name) => relative(wanted.folder, resolve(wanted.cwd, name)).split(sep).join('/'));
  const diagnostics: Diagnostic[] = [];
  const cases: TestCase[] = [];
  for (const file of await caseFiles(project, paths)) {
    const text = await project.readText(file);
    if (!text.ok) {
      diagnostics.push({
        code: text.error.code,
        severity: 'error',
        message: describeFileError(text.error),
        file,
      });
      continue;
    }
    const named = rowsNamed(text.value);
    const rows = named === undefined ? undefined : await project.readText(named);
    const read = readCases(file, text.value, (path) =>
      path === named && rows?.ok === true ? rows.value : undefined,
    );
    if (read.ok) cases.push(...read.value);
    else diagnostics.push(...read.diagnostics);
  }
  const { filter = '' } = wanted;
  const chosen = cases.filter(
    ({ target, name }) => (targets.length === 0 || targets.includes(target)) && name.includes(filter),
  );
  return { cases: chosen, diagnostics, isWhole: targets.length === 0 && filter === '' };
}

const isCaseFile = (path: string): boolean => /\.test\.ya?ml$/.test(path);

async function caseFiles(project: TextSource, named: readonly string[]): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const path of named.length === 0 ? FOLDERS : named) {
    if (isCaseFile(path)) {
      files.add(posix.normalize(path));
      continue;
    }
    for await (const found of project.walk(path))
      if (found.ok && isCaseFile(found.value)) files.add(found.value);
  }
  return [...files].sort();
}
