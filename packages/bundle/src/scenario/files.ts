import { describeFileError, type TextSource } from '@cuebook/files';
import type { Diagnostic, Labels, Piece } from '@cuebook/prompt';
import { diagnosticAt, readShape, readYaml, type YamlSource } from '@cuebook/yaml';
import { z } from 'zod';
import { scenarioProblems } from './fit.js';
import { SCENARIOS } from './library/library.js';
import { type Scenario, scenarioSchema } from './scenario.js';

/** A scenario that the project writes, and its words with their places. */
export interface ScenarioFile {
  readonly scenario: Scenario;
  readonly file: string;
  /** Absent where the words are those of the version that it is based on. */
  readonly words?: readonly Piece[];
}

/** A scenario file, read, or all that is wrong with it. */
export type ReadScenario =
  | { readonly ok: true; readonly value: ScenarioFile }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

const { side, summary, placeholders, preset, output, template } = scenarioSchema.shape;

/** What a file says. Where it is about a scenario that there is, it says only what changes. */
const changes = z.strictObject({
  side: side.optional(),
  summary: summary.optional(),
  placeholders: placeholders.optional(),
  preset: preset.partial().optional(),
  output: output.optional(),
  template: template.optional(),
});

/** What a file of a new scenario must say. */
const whole = z.strictObject({
  side: side.default('agent'),
  summary,
  placeholders: placeholders.default([]),
  preset,
  output,
  template,
});

/** The folder of a project's own scenarios. */
export const SCENARIO_FOLDER = 'scenarios';
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Whether a text can be the name of a scenario. */
export const isScenarioName = (name: string): boolean => NAME.test(name);

/** The names of `scenarios/NAME.yaml`, sorted. Files of test cases are none. */
export async function findScenarioNames(project: TextSource): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const path of project.walk(SCENARIO_FOLDER)) {
    const name = path.ok ? /^scenarios\/([^/.]+)\.yaml$/.exec(path.value)?.[1] : undefined;
    if (name !== undefined) names.push(name);
    if (names.length === MAX_SCENARIOS) break;
  }
  return names.sort();
}

const MAX_SCENARIOS = 1000;

/** The file of a scenario in a project; undefined when there is none. */
export async function loadScenario(project: TextSource, name: string): Promise<ReadScenario | undefined> {
  if (!isScenarioName(name)) return undefined;
  const file = `${SCENARIO_FOLDER}/${name}.yaml`;
  const text = await project.readText(file);
  if (!text.ok && text.error.code === 'E_FILE_NOT_FOUND') return undefined;
  if (!text.ok)
    return refuse([
      { code: text.error.code, severity: 'error', message: describeFileError(text.error), file },
    ]);
  return readScenario(name, { file, text: text.value });
}

/**
 * Reads a scenario from YAML. `base` is the version that the file changes; where it is left out, the shipped one of
 * that name. A Markdown file is a template and nothing else.
 */
export function readScenario(
  name: string,
  { file, text }: { readonly file: string; readonly text: string },
  base: Scenario | null = SCENARIOS.get(name) ?? null,
): ReadScenario {
  if (!isScenarioName(name))
    return refuse([
      problem(
        file,
        `"${name.slice(0, 64)}" is no name of a scenario: a-z first, then a-z, 0-9 and _, up to 64`,
      ),
    ]);
  if (file.endsWith('.md')) {
    if (base === null)
      return refuse([
        problem(file, 'A new scenario needs a YAML file: placeholders, preset, output, template'),
      ]);
    return checked({ scenario: next(base, { template: `${text.trimEnd()}\n` }), file });
  }
  const yaml = readYaml(file, text, SCENARIO_CODE);
  if (!yaml.ok) return yaml;
  if (base === null) {
    const read = readShape(yaml.value, whole, SCENARIO_CODE);
    if (!read.ok) return read;
    return checked(
      { scenario: { id: name, version: 1, ...read.value }, ...fileOf(yaml.value, read.value) },
      yaml.value,
    );
  }
  const read = readShape(yaml.value, changes, SCENARIO_CODE);
  return read.ok
    ? checked({ scenario: next(base, read.value), ...fileOf(yaml.value, read.value) }, yaml.value)
    : read;
}

/** The code of everything that is wrong with a scenario file. */
const SCENARIO_CODE = 'E_SCENARIO';

const next = (base: Scenario, changed: z.infer<typeof changes>): Scenario => ({
  id: base.id,
  version: base.version + 1,
  side: changed.side ?? base.side,
  summary: changed.summary ?? base.summary,
  placeholders: changed.placeholders ?? base.placeholders,
  preset: { ...base.preset, ...(changed.preset as Partial<Scenario['preset']>) },
  output: changed.output ?? base.output,
  template: changed.template ?? base.template,
});

const fileOf = (yaml: YamlSource, said: { readonly template?: string | undefined }) => ({
  file: yaml.file,
  ...(said.template === undefined ? {} : { words: yaml.pieces(['template'], WORDS) }),
});

const WORDS: Labels = { trust: 'author', secrecy: 'public', volatility: 'build' };

function checked(value: ScenarioFile, yaml?: YamlSource): ReadScenario {
  const problems = scenarioProblems(value.scenario);
  if (problems.length === 0) return { ok: true, value };
  return refuse(
    problems.map((message) =>
      yaml === undefined
        ? problem(value.file, message)
        : diagnosticAt(yaml, pathOf(message, yaml), { code: SCENARIO_CODE, severity: 'error', message }),
    ),
  );
}

/** The member that a problem begins with, where the file has it. */
function pathOf(message: string, yaml: YamlSource): readonly PropertyKey[] {
  const member = /^[a-z]+/.exec(message)?.[0] ?? '';
  return Object.hasOwn(Object(yaml.value), member) ? [member] : [];
}

const problem = (file: string, message: string): Diagnostic => ({
  code: SCENARIO_CODE,
  severity: 'error',
  message,
  file,
});

const refuse = (diagnostics: readonly Diagnostic[]): ReadScenario => ({ ok: false, diagnostics });
