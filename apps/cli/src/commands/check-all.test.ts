import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTurn, itInTurn, runs } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import {
  BASE,
  DEFINITION_FAULTS,
  DEFINITIONS,
  FAULTS,
  type Fault,
  type Files,
  KEY,
} from '../../test/faults.js';

function plant(files: Files, faults: readonly Fault[]): Files {
  const planted: Record<string, string> = { ...files };
  for (const { file, from, to } of faults) planted[file] = (planted[file] ?? '').replace(from, to);
  return planted;
}

interface Told {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

async function check(files: Files, ...args: string[]) {
  const cwd = folderWith(files);
  const { stdout, code } = await cuebook(['check', '--json', ...args], { cwd });
  const { diagnostics, ok } = JSON.parse(stdout) as { ok: boolean; diagnostics: readonly Told[] };
  return { diagnostics, ok, code, stdout };
}

const isTold = ({ code, told, file, at = file }: Fault, diagnostics: readonly Told[]): boolean =>
  diagnostics.some((each) => each.code === code && (each.file ?? '') === at && told.test(each.message));

/** Two faults that change the same words cannot both be planted. */
const areApart = (faults: readonly Fault[], files: Files = BASE): boolean => {
  const places = faults.map(({ file, from }) => `${file} ${from}`);
  return faults.every(
    ({ file, from }, index) =>
      typeof from !== 'string' ||
      (files[file]?.includes(from) === true && places.indexOf(places[index] as string) === index),
  );
};

/** What a message says, whatever lines and numbers it names, and whichever names are there instead. */
const gist = ({ code, file, message }: Told): string =>
  `${code} ${file} ${message.replace(/ It has: .*$/s, '').replaceAll(/\d+/g, '0')}`;

describe('one check of definitions', () => {
  itInTurn('finds nothing in those that faults are planted in', async () => {
    expect((await check(DEFINITIONS)).diagnostics).toEqual([]);
  });

  itInTurn('names every fault of any set of them, and fixing one reveals none', async () => {
    const sets = fc
      .uniqueArray(fc.constantFrom(...DEFINITION_FAULTS), { minLength: 6, maxLength: 14 })
      .filter((faults) => areApart(faults, DEFINITIONS));
    await fc.assert(
      fc.asyncProperty(sets, async (faults) => {
        const all = await check(plant(DEFINITIONS, faults));
        expect(faults.filter((fault) => !isTold(fault, all.diagnostics))).toEqual([]);
        const [, ...rest] = faults;
        const fixed = await check(plant(DEFINITIONS, rest));
        const known = new Set(all.diagnostics.map(gist));
        expect(fixed.diagnostics.map(gist).filter((each) => !known.has(each))).toEqual([]);
      }),
      runs(6, 400),
    );
  });
});

describe('one check', () => {
  itInTurn('finds nothing in the project that faults are planted in', async () => {
    const { diagnostics, code } = await check(BASE);
    expect(diagnostics).toEqual([]);
    expect(code).toBe(0);
  });

  it.each(inTurn(FAULTS))('tells $code in $file: $told', async (fault) => {
    const { diagnostics, stdout } = await check(plant(BASE, [fault]));
    expect(isTold(fault, diagnostics), diagnostics.map(gist).join('\n')).toBe(true);
    expect(stdout).not.toContain(KEY);
  });

  itInTurn('names every fault of any set, and fixing one reveals none', async () => {
    const sets = fc
      .uniqueArray(fc.constantFrom(...FAULTS), { minLength: 2, maxLength: 12 })
      .filter((faults) => areApart(faults));
    await fc.assert(
      fc.asyncProperty(sets, async (faults) => {
        const all = await check(plant(BASE, faults));
        expect(faults.filter((fault) => !isTold(fault, all.diagnostics))).toEqual([]);
        const [, ...rest] = faults;
        const fixed = await check(plant(BASE, rest));
        const known = new Set(all.diagnostics.map(gist));
        expect(fixed.diagnostics.map(gist).filter((each) => !known.has(each))).toEqual([]);
      }),
      runs(60, 2_000),
    );
  });
});
