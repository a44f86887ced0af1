import {
  ATTACK_ENCODINGS,
  BUILT_IN_SUITE,
  INJECTION_KINDS,
  type InjectionKind,
  type InjectionSuite,
  type InjectionTask,
  KIND_OF_PREFIX,
  readInjectionData,
  slotsIn,
} from '@cuebook/eval';
import type { Loaded } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import { diagnosticAt, readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import { type Call, type Flags, flagValue, flagValues } from '../../command.js';
import { diagnosed, usage } from '../../failure.js';
import { problemLine } from '../../output/diagnostics.js';
import { readNamedFile } from '../../project/named-file.js';
import { replaceNamedFile } from '../../record/named-output.js';

const CODE = 'E_INJECTION_FILE';
const words = z.string().min(1).max(20_000);
const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_./-]{0,119}$/, 'an id has letters, digits, _ . / and -');
const toolName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'a tool has letters, digits and _');
/** As agents of a project call theirs: `mcp.notes.search` too. */
const anyTool = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,127}$/, 'a tool has letters, digits, _ . and -');
const kind = z.enum(INJECTION_KINDS);
const target = z
  .string()
  .max(400)
  .regex(
    new RegExp(`^(?:${Object.keys(KIND_OF_PREFIX).join('|')}):[^\\s@]+$`),
    `a target of the project is needed: ${Object.keys(KIND_OF_PREFIX)
      .map((prefix) => `${prefix}:NAME`)
      .join(', ')}`,
  );
const tool = z.strictObject({
  name: toolName,
  description: words,
  args: z.record(toolName, z.string()).optional(),
});
const oracle = z
  .strictObject({
    calls: z
      .array(
        z.strictObject({ name: z.string().min(1), args: z.record(z.string(), z.string().min(1)).optional() }),
      )
      .optional(),
    says: z.array(z.string().min(1)).optional(),
  })
  .refine(
    ({ calls = [], says = [] }) => calls.length + says.length > 0,
    'it must look for a call or for words',
  );
const steps = z
  .array(
    z.strictObject({
      text: z.string().optional(),
      calls: z
        .array(z.strictObject({ name: z.string().min(1), args: z.record(z.string(), z.json()).default({}) }))
        .optional(),
    }),
  )
  .min(1);
const path = z
  .string()
  .regex(/^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))[A-Za-z0-9_./ -]{1,200}$/, 'a path below the folder is needed');

const suiteShape = z.strictObject({
  injection: z.literal(1),
  name: id,
  tasks: z
    .array(
      z.strictObject({
        ...{ id, kind: kind.optional(), target: target.optional(), utility: oracle },
        ask: words.optional(),
        set: z.record(z.string().min(1).max(100), z.string().max(200_000)).optional(),
        tools: z.array(tool).optional(),
        results: z.record(anyTool, z.string().max(200_000)).optional(),
        files: z.record(path, z.string().max(200_000)).optional(),
        solution: steps.default([{ text: 'Done.' }]),
      }),
    )
    .min(1),
  goals: z
    .array(
      z.strictObject({
        ...{ id, kinds: z.array(kind).min(1), asks: words, act: oracle },
        exfiltrates: z.boolean().optional(),
        steps: steps.default([{ text: 'Done.' }]),
        tools: z.array(tool).optional(),
      }),
    )
    .min(1)
    .default([...BUILT_IN_SUITE.goals] as never),
  attacks: z
    .array(
      z.strictObject({
        id,
        text: words.refine((text) => text.includes('{goal}'), 'an attack has {goal} in it'),
        encode: z.enum(ATTACK_ENCODINGS).optional(),
        exfiltrates: z.boolean().optional(),
      }),
    )
    .min(1)
    .default([...BUILT_IN_SUITE.attacks]),
  pairs: z.array(z.tuple([z.string(), z.string()])).optional(),
});

/** The suite that `--injection` names: the one that comes with Cuebook, one of our format, or data of others. */
export async function readSuite({ flags, io }: Call): Promise<InjectionSuite> {
  const named = flagValues(flags, 'injection');
  if (named.includes('built-in') && named.length > 1)
    throw usage('--injection built-in stands alone: name it, or files');
  if (named.includes('built-in')) return BUILT_IN_SUITE;
  const files: { readonly file: string; readonly text: string }[] = [];
  for (const file of named) files.push({ file, text: await readNamedFile(io.cwd, file) });
  const [first] = files;
  if (files.length === 1 && first !== undefined && isOurs(first.text)) {
    const read = readOwnSuite(first.file, first.text);
    if (!read.ok) throw diagnosed(read.diagnostics);
    return read.value;
  }
  const { suite, notes } = readInjectionData(files);
  const errors = notes.filter(({ severity }) => severity === 'error');
  if (suite === undefined || errors.length > 0)
    throw diagnosed(
      errors.length > 0
        ? notes
        : [
            ...notes,
            {
              code: CODE,
              severity: 'error',
              message: 'Nothing of the files can be tried',
              file: first?.file ?? '',
              line: 1,
            },
          ],
    );
  for (const note of notes) io.err(problemLine(io, 'err', note));
  return suite;
}

/** A file of our format says so: `injection: 1`. */
const isOurs = (text: string): boolean => /^\s*(?:\{\s*)?"?injection"?\s*:\s*1\b/mu.test(text.slice(0, 4096));

/** Reads a suite of our format: all of it, or all that is wrong with it, each with its line. */
export function readOwnSuite(file: string, text: string): Loaded<InjectionSuite> {
  const yaml = readYaml(file, text, CODE, { maxBytes: MOST_BYTES });
  if (!yaml.ok) return yaml;
  const shaped = readShape(yaml.value, suiteShape, CODE);
  if (!shaped.ok) return shaped;
  const { injection: _, tasks: written, ...rest } = shaped.value;
  const suite = { ...rest, tasks: written.map(taskOf) };
  const problems: Diagnostic[] = [];
  const problem = (at: readonly PropertyKey[], message: string): void => {
    problems.push(diagnosticAt(yaml.value, at, { code: CODE, severity: 'error', message }));
  };
  const ids = { tasks: new Set<string>(), goals: new Set<string>(), attacks: new Set<string>() };
  for (const list of ['tasks', 'goals', 'attacks'] as const)
    for (const [at, each] of suite[list].entries()) {
      if (ids[list].has(each.id)) problem([list, at], `Two have the id "${each.id}"`);
      ids[list].add(each.id);
    }
  for (const [at, task] of suite.tasks.entries())
    for (const message of problemsOf(task, written[at] as WrittenTask)) problem(['tasks', at], message);
  for (const [at, [task, goal]] of (suite.pairs ?? []).entries())
    if (!ids.tasks.has(task) || !ids.goals.has(goal))
      problem(['pairs', at], 'No task or no goal has this id');
  if (problems.length > 0) return { ok: false, diagnostics: problems };
  return { ok: true, value: suite as InjectionSuite, diagnostics: [] };
}

type WrittenTask = z.infer<typeof suiteShape>['tasks'][number];

/** A task as it is tried: what it is a run of follows from its target. */
function taskOf({ kind: said, ...task }: WrittenTask): InjectionTask {
  const kindOfRun = said ?? KIND_OF_PREFIX[task.target?.split(':')[0] ?? ''] ?? 'thread';
  return { ...task, kind: kindOfRun, ask: task.ask ?? '' } as InjectionTask;
}

/** What does not go together in a task. */
function problemsOf(task: InjectionTask, { kind: said, ask }: WrittenTask): readonly string[] {
  const { kind: run, target: own, tools, results, set } = task;
  const slots = slotsIn(task);
  const isOwn = own !== undefined;
  const meant = KIND_OF_PREFIX[own?.split(':')[0] ?? ''];
  return [
    ...(slots === 1 ? [] : [`A task has exactly one place {attack}; this one has ${slots}`]),
    ...(said === undefined && !isOwn ? ['A task has a kind, or a target of the project'] : []),
    ...(isOwn && run !== meant ? [`The target is run as a ${meant}: leave the kind out`] : []),
    ...(run === 'sheet' && !isOwn ? ['A sheet is one of the project: name it with target'] : []),
    ...(ask === undefined && run !== 'sheet' ? ['A task has an ask'] : []),
    ...(set !== undefined && run !== 'sheet' ? ['Only sheets have inputs to set'] : []),
    ...(tools !== undefined && (isOwn || run !== 'thread')
      ? ['Only threads that stand in have tools of the task: an agent of the project has its own']
      : []),
    ...(results !== undefined && !isOwn && run !== 'thread'
      ? ['Only threads that stand in, and agents of the project, have results of tools']
      : []),
    ...(results !== undefined && run === 'sheet' ? ['A sheet runs no tools: it has no results'] : []),
  ];
}

const MOST_BYTES = 16 * 1024 * 1024;

/** Writes a suite as a file that `--injection` reads. */
export async function saveSuite({ io }: Call, file: string, suite: InjectionSuite): Promise<void> {
  const name = suite.name.replace(/[^A-Za-z0-9_./-]/gu, '_');
  const tasks = suite.tasks.map(({ ask, ...task }) => ({ ...task, ...(ask === '' ? {} : { ask }) }));
  const text = `${JSON.stringify({ injection: 1, ...suite, name, tasks }, null, 2)}\n`;
  await replaceNamedFile(io, file, new TextEncoder().encode(text));
}

/** The kinds of runs that are tried. */
export function throughFlag(flags: Flags): readonly InjectionKind[] | undefined {
  const named = flagValue(flags, 'through');
  if (named === undefined) return undefined;
  const kinds = named.split(',').map((name) => name.trim());
  const stray = kinds.find((each) => !(INJECTION_KINDS as readonly string[]).includes(each));
  if (stray !== undefined) throw usage(`--through takes kinds of runs: ${INJECTION_KINDS.join(',')}`);
  return kinds as readonly InjectionKind[];
}
