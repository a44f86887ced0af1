import { basename, extname } from 'node:path';
import {
  isScenarioName,
  readScenario,
  SCENARIO_FOLDER,
  type Scenario,
  SHIPPED_VERSIONS,
  templateBytes,
} from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import {
  findLibrary,
  type OpenPlatform,
  proposeVersion,
  type TemplateLibrary,
  type TemplateRecord,
  versionName,
} from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, type Flags, flagValue, isOn } from '../../command.js';
import { editText } from '../../edit-text.js';
import { diagnosed, Failure, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import type { Io } from '../../io.js';
import { requireCases } from '../../library/run-cases.js';
import { printJson } from '../../output/json.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { projectOrHere } from '../../project/find.js';
import { readNamedFile, requireFile } from '../../project/named-file.js';

/**
 * `cuebook library new NAME [--from FILE] [--tests FILE] [--temperature N]`: a new version of a scenario, or a new one,
 * from a file, from parameters alone, or from an editor. `--shipped` takes what this version of Cuebook ships anew.
 */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const [name, ...more] = args;
  if (more.length > 0 || (name === undefined) !== isOn(flags, 'shipped'))
    throw usage(`Name the scenario: ${hint`library new greeting --from FILE`}; or --shipped and no name`);
  return withPlatform(flags, io, async (platform) => {
    const library = await findLibrary(platform);
    const drafts = name === undefined ? shippedAnew(library) : [await draftOf(call, name, library)];
    const proposed: TemplateRecord[] = [];
    for (const { scenario, cases } of drafts) {
      if (cases !== undefined) await requireCases(call, scenario, cases);
      proposed.push(await propose(platform, scenario, cases, byWhom(flags, io)));
    }
    if (isOn(flags, 'json'))
      await printJson(io, { versions: proposed.map(({ scenario, status }) => ({ ...scenario, status })) });
    else if (proposed.length === 0) await io.out('The library has everything that Cuebook ships\n');
    else {
      for (const { scenario } of proposed) await io.out(`${versionName(scenario)} waits for a review\n`);
      await io.out(told(io, `Next, a reviewer runs: ${hint`library review`}\n`));
    }
    return 0;
  });
};

interface Draft {
  readonly scenario: Scenario;
  readonly cases?: string | undefined;
}

const propose = async (
  platform: OpenPlatform,
  { version: _, ...scenario }: Scenario,
  cases: string | undefined,
  by: string,
): Promise<TemplateRecord> =>
  requireDone(
    await proposeVersion(platform, { scenario, by, ...(cases === undefined ? {} : { cases }) }),
    scenario.id,
  );

async function draftOf({ flags, io }: Call, name: string, library: TemplateLibrary): Promise<Draft> {
  if (!isScenarioName(name)) throw usage('A name of a scenario has a-z, 0-9 and _, and begins with a letter');
  const base = library.active.find(({ id }) => id === name);
  const from = await sourceOf(flags, io, name, base);
  const read = from === undefined ? undefined : readScenario(name, from, base ?? null);
  if (read?.ok === false) throw diagnosed(read.diagnostics);
  const written = read?.value.scenario ?? base;
  if (written === undefined) throw nothingFrom(name);
  const preset = presetOf(flags);
  const scenario = { ...written, preset: { ...written.preset, ...preset } };
  return { scenario, cases: await casesOf(flags, io, name, from?.file) };
}

/** The file that is named, the one of the project, or what comes out of an editor; undefined: parameters alone. */
async function sourceOf(
  flags: Flags,
  io: Io,
  name: string,
  base: Scenario | undefined,
): Promise<{ readonly file: string; readonly text: string } | undefined> {
  const named = flagValue(flags, 'from');
  if (named !== undefined) {
    if (!['.yaml', '.yml', '.md'].includes(extname(named))) throw usage('--from is a YAML or Markdown file');
    return { file: basename(named), text: await readNamedFile(io.cwd, named) };
  }
  if (Object.keys(presetOf(flags)).length > 0) return undefined;
  const own = await projectFile(flags, io, `${name}.yaml`);
  if (own !== undefined) return { file: `${SCENARIO_FOLDER}/${name}.yaml`, text: own };
  const otherwise = `write it in ${SCENARIO_FOLDER}/${name}.yaml, or name a file with --from FILE.`;
  const text = await editText(io, { text: draftText(base), ending: 'yaml', otherwise });
  return { file: `${name}.yaml`, text };
}

/** Cases that are named, or that stand beside the scenario. */
async function casesOf(
  flags: Flags,
  io: Io,
  name: string,
  file: string | undefined,
): Promise<string | undefined> {
  const named = flagValue(flags, 'tests');
  if (named !== undefined) return readNamedFile(io.cwd, named);
  return file === `${SCENARIO_FOLDER}/${name}.yaml` ? projectFile(flags, io, `${name}.test.yaml`) : undefined;
}

async function projectFile(flags: Flags, io: Io, name: string): Promise<string | undefined> {
  const files = requireFile(
    await openFolder(await projectOrHere(flags, io), { access: 'ro' }),
    'the project',
  );
  const text = await files.readText(`${SCENARIO_FOLDER}/${name}`);
  if (!text.ok && text.error.code === 'E_FILE_NOT_FOUND') return undefined;
  return requireFile(text, `${SCENARIO_FOLDER}/${name}`);
}

function presetOf(flags: Flags): Partial<Scenario['preset']> {
  const given = (['temperature', 'max-tokens', 'top-p'] as const).flatMap((flag) => {
    const value = flagValue(flags, flag);
    if (value === undefined) return [];
    if (!/^\d+(?:\.\d+)?$/.test(value)) throw usage(`--${flag} is a number`);
    return [[flag.replace('-', '_'), Number(value)]];
  });
  return Object.fromEntries(given);
}

/** What an editor begins with. A JSON value is a YAML value. */
const draftText = (base: Scenario | undefined): string => {
  const { summary, preset, template, output, placeholders } = base ?? EXAMPLE;
  const block = template
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
  return [
    `summary: ${JSON.stringify(summary)}`,
    'placeholders:',
    ...placeholders.map((each) => `  - ${JSON.stringify(each)}`),
    `preset: ${JSON.stringify(preset)}`,
    `output: ${JSON.stringify(output)}`,
    'template: |-',
    block,
    '',
  ].join('\n');
};

const EXAMPLE: Omit<Scenario, 'id' | 'version' | 'side'> = {
  summary: 'What it is for.',
  placeholders: [
    { name: 'self_prompt_view', kind: 'view', trust: 'operator', required: true, example: 'name: Ada' },
  ],
  preset: { temperature: 0.7, max_tokens: 220, top_p: 0.9 },
  output: { format: 'text', min: 1, max: 600 },
  template: 'What is wanted.\n\nYou:\n{self_prompt_view}\n\nAt most 600 characters.',
};

/** Shipped versions that the library does not have in these words, under whatever number. */
function shippedAnew({ record }: TemplateLibrary): readonly Draft[] {
  const same = (a: Scenario, b: Scenario) =>
    a.id === b.id && templateBytes({ ...a, version: 1 }).equals(templateBytes({ ...b, version: 1 }));
  return SHIPPED_VERSIONS.filter(
    (shipped) => !record.templates.some(({ scenario }) => same(scenario, shipped)),
  ).map((scenario) => ({ scenario: { ...scenario } }));
}

const nothingFrom = (name: string): Failure =>
  new Failure(
    'E_LIBRARY',
    `The library has no ${name}, so there are no parameters to change: name a file with --from`,
    {
      exit: 1,
    },
  );
