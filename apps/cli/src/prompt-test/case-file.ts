import type { Loaded } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import { diagnosticAt, readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import { ANSWER_LANGUAGES } from './expect/form.js';

const texts = z.union([z.string(), z.array(z.string())], 'a text or a list of texts is needed');
const textChecks = {
  contains: texts.optional(),
  absent: texts.optional(),
  matches: texts.optional(),
};
const variables = z.record(z.string(), z.string('values are texts'), 'a map of texts is needed').optional();

const message = z.union([
  z.strictObject({ user: z.string() }),
  z.strictObject({
    assistant: z.string(),
    calls: z
      .array(z.strictObject({ id: z.string().min(1), name: z.string().min(1), args: z.json().default({}) }))
      .optional(),
  }),
  z.strictObject({ tool: z.string(), callId: z.string().min(1) }),
]);

/** What is no message of any form is told the forms, and not what it lacks of one of them. */
const said = z
  .unknown()
  .refine(
    (value) => ['user', 'assistant', 'tool'].some((form) => Object.hasOwn(Object(value), form)),
    'a message is { user }, { assistant, calls } or { tool, callId }',
  )
  .pipe(message);

const step = z.strictObject({
  text: z.string().optional(),
  reasoning: z.string().optional(),
  toolCalls: z
    .array(z.strictObject({ id: z.string().optional(), name: z.string(), args: z.json().default({}) }))
    .optional(),
  error: z.strictObject({ status: z.int().min(400).max(599), message: z.string().optional() }).optional(),
});

const request = z.strictObject({
  ...textChecks,
  system: z.strictObject(textChecks).optional(),
  user: z.strictObject(textChecks).optional(),
  tokens: z.strictObject({ min: z.int().optional(), max: z.int().optional() }).optional(),
  tools: z.array(z.string(), 'the names of all tools are needed').optional(),
  params: z.record(z.string(), z.json()).optional(),
  hash: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, 'sha256: and 64 digits are needed')
    .optional(),
  refused: z
    .string()
    .regex(/^E_[A-Z_]+$/, 'a code such as E_INPUT is needed')
    .optional(),
  snapshot: z.literal(true, 'only true has a meaning').optional(),
});

/** A check that nothing can fail is none. */
const bounds = z
  .strictObject({ min: z.int().min(1).optional(), max: z.int().min(0).optional() })
  .refine(({ min, max }) => min !== undefined || max !== undefined, 'min, max or both are needed')
  .refine(({ min = 0, max = min }) => min <= max, 'min is larger than max');

const form = {
  words: bounds.optional(),
  sentences: bounds.optional(),
  paragraphs: bounds.optional(),
  lines: bounds.optional(),
  bullets: bounds.optional(),
  startsWith: z.string().min(1).optional(),
  endsWith: z.string().min(1).optional(),
  language: z.enum(ANSWER_LANGUAGES).optional(),
  case: z.enum(['upper', 'lower']).optional(),
  count: bounds.safeExtend({ of: z.string().min(1) }).optional(),
};

const answer = z.strictObject({
  ...textChecks,
  ...form,
  equals: z.string().optional(),
  json: z.record(z.string(), z.json(), 'a map of paths to values is needed').optional(),
  schema: z.record(z.string(), z.json(), 'a JSON Schema is needed').optional(),
  calls: z.array(z.strictObject({ name: z.string().min(1), args: z.json().optional() })).optional(),
  error: z.string().optional(),
  snapshot: z.literal(true, 'only true has a meaning').optional(),
});

const setting = {
  input: z.string('a text is needed').optional(),
  args: z.record(z.string(), z.json(), 'a map of arguments is needed').optional(),
  env: variables,
  with: z.record(z.string(), z.json(), 'a map is needed').optional(),
  conversation: z.array(said).optional(),
  script: z.array(step).min(1).optional(),
  provider: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
};

const testCase = z.strictObject({
  name: z.string('a name is needed').min(1).max(200),
  ...setting,
  /** Cases of one cluster rise and fall together: those of one document, user or template. Left out: the case itself. */
  cluster: z.string().min(1).max(200).optional(),
  /** A turn on record whose request it is: the words stay in the record. */
  turn: z
    .string()
    .regex(/^run_[A-Za-z0-9_-]+@[A-Za-z0-9_.-]+$/, 'a turn is RUN@TURN')
    .optional(),
  request: request.optional(),
  answer: answer.optional(),
});

/** What `eval` and `compare` ask of the answers of all cases. */
const evalSetting = {
  takes: z.int().min(1).max(100).optional(),
  metrics: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'a metric has a short name in small letters'),
      z.union(
        [z.strictObject({ answer }), z.strictObject({ judge: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/) })],
        'a metric is { answer } or { judge: NAME }',
      ),
    )
    .optional(),
  gate: z
    .strictObject({
      primary: z.string().optional(),
      margin: z.number().gt(0, 'a margin of 0 can never be ruled out').lt(1).optional(),
      guards: z.array(z.string()).optional(),
      looks: z.int().min(1).max(5).optional(),
    })
    .optional(),
};

const caseFile = z.strictObject({
  target: z.string().optional(),
  ...setting,
  ...evalSetting,
  cases: z.array(testCase).min(1, 'at least one case is needed'),
});

/** The same with its cases in a file of their own. */
const rowedFile = caseFile.extend({ cases: z.string() });

export type RequestChecks = z.infer<typeof request>;
export type AnswerChecks = z.infer<typeof answer>;
export type CaseMessage = z.infer<typeof said>;

/** One case, with what its file says for all of them filled in. */
export interface TestCase extends Omit<z.infer<typeof testCase>, 'name'> {
  readonly file: string;
  readonly line: number;
  readonly target: string;
  readonly name: string;
  /** Where its file is one for `eval`: what is asked of all answers. */
  readonly evals?: EvalSetting;
}

export interface EvalSetting {
  readonly takes?: number | undefined;
  readonly metrics?:
    | Readonly<Record<string, { readonly answer: AnswerChecks } | { readonly judge: string }>>
    | undefined;
  readonly gate?:
    | {
        readonly primary?: string | undefined;
        readonly margin?: number | undefined;
        readonly guards?: readonly string[] | undefined;
        readonly looks?: number | undefined;
      }
    | undefined;
}

/** The file of rows that a file of cases names in the place of a list. */
export const rowsNamed = (text: string): string | undefined =>
  /^cases:[ \t]*["']?([^\s"'#][^"'#\n]*?\.jsonl)["']?[ \t]*(?:#.*)?$/m.exec(text)?.[1];

/** The code of everything that is wrong with a file of cases. */
export const CASE_CODE = 'E_TEST_FILE';

/** Reads a file of cases: all of them, or all that is wrong with it, each with its line. */
export function readCases(
  file: string,
  text: string,
  rowsText: (path: string) => string | undefined = () => undefined,
): Loaded<readonly TestCase[]> {
  const yaml = readYaml(file, text, CASE_CODE);
  if (!yaml.ok) return yaml;
  const isRowed = rowsNamed(text) !== undefined;
  const shaped = isRowed
    ? readShape(yaml.value, rowedFile, CASE_CODE)
    : readShape(yaml.value, caseFile, CASE_CODE);
  if (!shaped.ok) return shaped;
  const problems: Diagnostic[] = [];
  const problem = (path: readonly PropertyKey[], message: string): void => {
    problems.push(diagnosticAt(yaml.value, path, { code: CASE_CODE, severity: 'error', message }));
  };
  const { cases: listed, target = targetOf(file), takes, metrics, gate, ...shared } = shaped.value;
  const isEval = takes !== undefined || metrics !== undefined || gate !== undefined;
  const evals: EvalSetting | undefined = isEval ? { takes, metrics, gate } : undefined;
  const read = typeof listed === 'string' ? readRows(listed, rowsText(listed)) : listed;
  if (!Array.isArray(read))
    return { ok: false, diagnostics: (read as { problems: readonly Diagnostic[] }).problems };
  const cases = read as readonly Case[];
  if (target === undefined) {
    problem(
      [],
      'Say what is tested: target: prompt:NAME. Only beside a prompt, an agent or a scenario it is known',
    );
  }
  const names = new Set<string>();
  const told = cases.map((each, index): TestCase => {
    if (names.has(each.name)) problem(['cases', index, 'name'], `Two cases are called "${each.name}"`);
    names.add(each.name);
    const merged = merge(shared, each);
    for (const message of contradictions(merged, evals)) problem(['cases', index], message);
    const { line = 1 } =
      typeof listed === 'string' ? { line: index + 1 } : yaml.value.place(['cases', index, 'name']);
    return { ...merged, file, line, target: target ?? '', ...(evals && { evals }) };
  });
  for (const name of [gate?.primary, ...(gate?.guards ?? [])])
    if (name !== undefined && name !== OWN_METRIC && !Object.hasOwn(metrics ?? {}, name))
      problem(['gate'], `No metric is called "${name}"`);
  if (problems.length > 0) return { ok: false, diagnostics: problems };
  return { ok: true, value: told, diagnostics: [] };
}

/** The metric of the checks that each case has of its own. */
export const OWN_METRIC = 'pass';

/** One case a line, as JSON, called by `id` or `name`. */
function readRows(
  path: string,
  text: string | undefined,
): readonly Case[] | { readonly problems: readonly Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const bad = (line: number, message: string): void => {
    problems.push({ code: CASE_CODE, severity: 'error', message, file: path, line });
  };
  if (text === undefined) bad(1, 'The file of cases cannot be read');
  const cases: Case[] = [];
  for (const [index, line] of (text ?? '').split('\n').entries()) {
    if (line.trim() === '') continue;
    const row = parseRow(line);
    if (row === undefined) {
      bad(index + 1, 'Each line is a JSON object');
      continue;
    }
    const { id, ...rest } = row;
    const read = testCase.safeParse(id === undefined ? rest : { name: id, ...rest });
    if (read.success) cases.push(read.data);
    else for (const issue of read.error.issues) bad(index + 1, `${issue.path.join('.')}: ${issue.message}`);
  }
  if (text !== undefined && cases.length === 0 && problems.length === 0)
    bad(1, 'At least one case is needed');
  return problems.length > 0 ? { problems } : cases;
}

function parseRow(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

type Case = z.infer<typeof testCase>;

/** What a case says goes before what its file says; maps are merged. */
function merge(
  shared: Omit<z.infer<typeof caseFile>, 'cases' | 'target' | keyof typeof evalSetting>,
  own: Case,
): Case {
  const env = shared.env || own.env ? { env: { ...shared.env, ...own.env } } : {};
  const more = shared.with || own.with ? { with: { ...shared.with, ...own.with } } : {};
  // A model of its own takes the place of the file's script, and the other way round.
  const { script, provider, model, ...rest } = shared;
  const voice = own.script || own.provider ? {} : { script, provider, model };
  return { ...rest, ...defined(voice), ...own, ...env, ...more };
}

const defined = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;

function contradictions(
  {
    input,
    args,
    env,
    with: given,
    conversation,
    turn,
    script,
    provider,
    model,
    request: asked,
    answer: told,
  }: Case,
  evals: EvalSetting | undefined,
) {
  const handed = [input, args, env, given, conversation, asked].some((each) => each !== undefined);
  return [
    ...(turn !== undefined && handed ? ['A turn on record has its own request: nothing is handed in'] : []),
    ...(turn !== undefined && evals === undefined
      ? ['A turn on record is a case for eval: give the file metrics']
      : []),
    ...(input !== undefined && args !== undefined ? ['input and args exclude each other'] : []),
    ...(script !== undefined && provider !== undefined ? ['script and provider exclude each other'] : []),
    ...(model !== undefined && provider === undefined ? ['model needs a provider'] : []),
    ...(asked === undefined && told === undefined && evals?.metrics === undefined
      ? ['It expects nothing: write request, answer or both']
      : []),
    ...(told !== undefined && script === undefined && provider === undefined && evals === undefined
      ? ['An answer needs somebody who gives it: script or provider']
      : []),
    ...(told !== undefined && asked?.refused !== undefined ? ['What is refused has no answer'] : []),
  ];
}

/** Beside a definition or a scenario a file is about it: agents/prompts/NAME.test.yaml, scenarios/NAME.test.yaml. */
function targetOf(file: string): string | undefined {
  const scenario = /^scenarios\/([^/]+)\.test\.ya?ml$/.exec(file)?.[1];
  if (scenario !== undefined) return `scenario:${scenario}`;
  const [, kind, name] = /^agents\/(prompt|agent)s\/([^/]+)\.test\.ya?ml$/.exec(file) ?? [];
  return kind === undefined ? undefined : `${kind}:${name}`;
}
