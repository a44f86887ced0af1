import type { NameUse } from './name-use.js';
import {
  namesOfCases,
  namesOfDefinition,
  namesOfManifest,
  namesOfPackage,
  namesOfRole,
  namesOfStep,
  namesOfTeam,
} from './other-names.js';
import { namesOfSheet, namesOfText } from './sheet-names.js';

/** The names in a file of a project; undefined where its text cannot be read at the moment. Never throws. */
type ReadNames = (file: string, text: string) => readonly NameUse[] | undefined;

const READERS: readonly (readonly [pattern: RegExp, read: ReadNames])[] = [
  [/^(?:agents|scenarios|tests)\/.+\.test\.ya?ml$/, namesOfCases],
  [/^sheets\/.+\.yaml$/, namesOfSheet],
  [/^texts\/.+\.(?:md|yaml)$/, namesOfText],
  [/^docs\/templates\/[^/]+\.md$/, namesOfRole],
  [/^(?:(?:.*\/)?(?:team|[^/]+\.team)|teams\/.+)\.ya?ml$/, namesOfTeam],
  [/^manifests\/.+\.(?:ya?ml|json)$/, namesOfManifest],
  [/^agents\/[a-z]+s\/[^/]+\.m?[jt]s$/, namesOfDefinition],
  [/^workflows\/[^/]+\/.+\.json$/, (file, text) => namesOfPackage(file, text, packageOf(file))],
  [/^workflows\/[^/]+\/.+\.md$/, (file, text) => namesOfStep(file, text, packageOf(file))],
  [/^(?:bmad|agents|[^/]*graph)\.json$/, (file, text) => namesOfPackage(file, text, '.')],
];

/** The folder of the workflow package that a file is in. */
const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** Whether names of a file are known at all. */
export const hasNames = (file: string): boolean =>
  READERS.some(([pattern]) => pattern.test(file)) &&
  !/(?:^|\/)\.|^(?!agents\/|scenarios\/|tests\/).*\.test\.ya?ml$|\.d\.ts$/.test(file);

export function namesIn(file: string, text: string): readonly NameUse[] | undefined {
  const [, read] = READERS.find(([pattern]) => pattern.test(file)) ?? [];
  return text.length > MAX_TEXT ? [] : read?.(file, text);
}

/** A file of more characters is checked, and its names are not looked for. */
const MAX_TEXT = 2_000_000;
