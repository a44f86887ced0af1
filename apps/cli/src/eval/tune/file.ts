import { readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import { diagnosed, Failure, usage } from '../../failure.js';
import type { Bench } from '../../project/bench.js';
import type { TestCase } from '../../prompt-test/case-file.js';
import { findCases } from '../../prompt-test/find-cases.js';

const schema = z.strictObject({
  cases: z.string('the file of cases is needed').min(1),
  tunable: z.array(z.string().min(1)).min(1, 'name at least one file that may change'),
  /** Obligations that may change, to the letter. */
  free: z.array(z.string()).default([]),
  tokens: z.strictObject({ max: z.int().min(1) }).optional(),
  held: z.number().gt(0).lt(1).default(0.4),
  margin: z.number().gt(0).lt(1).default(0.05),
  candidates: z.int().min(1).max(32).default(8),
  proposer: z.strictObject({ provider: z.string().optional(), model: z.string().optional() }).default({}),
});

/** What a tune file says, and its cases. */
export interface TuneSetting extends z.infer<typeof schema> {
  readonly tests: readonly TestCase[];
}

const TUNE_CODE = 'E_TUNE_FILE';

/** Reads `tune/NAME.yaml`, and the cases that it names. */
export async function readTune(bench: Bench, file: string): Promise<TuneSetting> {
  const text = await bench.files.readText(file);
  if (!text.ok) throw new Failure(TUNE_CODE, `${file} cannot be read`);
  const yaml = readYaml(file, text.value, TUNE_CODE);
  if (!yaml.ok) throw diagnosed(yaml.diagnostics);
  const shaped = readShape(yaml.value, schema, TUNE_CODE);
  if (!shaped.ok) throw diagnosed(shaped.diagnostics);
  const found = await findCases(bench.files, {
    ...{ named: [shaped.value.cases], filter: undefined, folder: bench.folder, cwd: bench.folder },
  });
  if (found.diagnostics.length > 0) throw diagnosed(found.diagnostics);
  const tests = found.cases.filter(
    ({ answer, evals }) => answer !== undefined || evals?.metrics !== undefined,
  );
  if (tests.length === 0)
    throw new Failure('E_EVAL_NONE', `${shaped.value.cases} has no case that says what an answer must be`);
  if (Object.values(tests[0]?.evals?.metrics ?? {}).some((metric) => 'judge' in metric))
    throw usage('tune takes metrics with answer: a judge alone cannot say that something is better');
  return { ...shaped.value, tests };
}
