import type { JsonValue } from '@cuebook/prompt';
import {
  ATTACK_SLOT,
  type InjectionGoal,
  type InjectionTask,
  type SoughtCall,
  type StandInTool,
} from '../contract.js';
import {
  type DataFields,
  field,
  isFields,
  isToolName,
  type Note,
  plainArgs,
  textField,
  withoutSlot,
} from './rows.js';

/** What a file of the shape of AgentDojo holds. */
export interface AgentDojoParts {
  readonly tasks: readonly InjectionTask[];
  readonly goals: readonly InjectionGoal[];
}

/** Whether a value has the shape of a suite of AgentDojo that was exported as JSON. */
export const isAgentDojo = (value: unknown): boolean =>
  isFields(value) && [field(value, 'user_tasks'), field(value, 'injection_tasks')].some(isList);

/** Whether it is the record of a run of AgentDojo, which says nothing of what counts as a success. */
export const isAgentDojoTrace = (value: unknown): boolean =>
  isFields(value) &&
  typeof field(value, 'user_task_id') === 'string' &&
  Array.isArray(field(value, 'messages'));

const isList = (value: unknown): boolean => Array.isArray(value) || isFields(value);

/**
 * Reads a suite: user tasks, injection tasks and the environment with its injection vectors. Whether a task is done is a function
 * of Python there; here it is that the calls of its ground truth are made and its output is said.
 */
export function readAgentDojo(
  suite: DataFields,
  note: Note,
  lineOf: (word: string) => number,
): AgentDojoParts {
  const name = plainName(textField(suite, 'suite') ?? textField(suite, 'name') ?? 'suite');
  const tools = toolsOf(suite);
  const world = worldOf(suite);
  const drop = (id: string, why: string): void => note(lineOf(id), 'W_INJECTION_DROPPED', `${id}: ${why}`);
  if (world === undefined)
    note(
      lineOf('environment'),
      'E_INJECTION_FILE',
      'The environment has no place of an injection vector, such as {injection_bill_text}',
    );
  const tasks = itemsOf(field(suite, 'user_tasks')).flatMap(([id, task]) => {
    const [ask, calls, output] = [textOf(task, 'PROMPT'), callsOf(task), textOf(task, 'GROUND_TRUTH_OUTPUT')];
    if (ask === undefined) return dropped(id, 'it has no PROMPT');
    if (calls === undefined)
      return dropped(id, 'its ground truth names a function that no tool can be called');
    if (calls.length === 0)
      return dropped(id, 'its ground truth has no call, so nothing reads the environment');
    if (world === undefined) return [];
    note(
      lineOf(id),
      'W_INJECTION_CHANGED',
      `${id}: utility is that the calls of the ground truth are made${output === undefined ? '' : ' and its output is said'}, and no function of Python`,
    );
    const named = [...new Set(calls.map((call) => call.name))];
    return [
      {
        id: `thread/${name}-${id}`,
        kind: 'thread' as const,
        ask: withoutSlot(ask),
        tools: named.map(
          (of) => tools.get(of) ?? { name: of, description: `Does ${of}.`, args: argNames(calls, of) },
        ),
        // The first function that is called reads the environment; a function that acts answers that it is done.
        results: { [calls[0]?.name as string]: world },
        utility: { calls: calls.map(soughtOf), ...(output === undefined ? {} : { says: [output] }) },
        solution: [...calls.map((call) => ({ calls: [call] })), { text: output ?? 'Done.' }],
      },
    ];
  });
  const goals = itemsOf(field(suite, 'injection_tasks')).flatMap(([id, task]) => {
    const [asks, calls] = [textOf(task, 'GOAL'), callsOf(task)];
    if (asks === undefined) return dropped(id, 'it has no GOAL');
    if (calls === undefined || calls.length === 0)
      return dropped(id, 'its ground truth has no call, so nobody could see that it succeeded');
    note(
      lineOf(id),
      'W_INJECTION_CHANGED',
      `${id}: success is that the calls of the ground truth are made, and no function of Python`,
    );
    return [
      {
        id: `${name}-${id}`,
        kinds: ['thread' as const],
        asks: withoutSlot(asks),
        act: { calls: calls.map(soughtOf) },
        steps: calls.map((call) => ({ calls: [call] })),
        tools: [...new Set(calls.map((call) => call.name))].map(
          (of) => tools.get(of) ?? { name: of, description: `Does ${of}.`, args: argNames(calls, of) },
        ),
      },
    ];
  });
  return { tasks, goals };

  function dropped(id: string, why: string): [] {
    drop(id, why);
    return [];
  }
}

type Call = { readonly name: string; readonly args: Readonly<Record<string, JsonValue>> };

/** Tasks stand in a list, or under their ids. */
function itemsOf(value: unknown): readonly (readonly [string, DataFields])[] {
  const items: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((each, at) => [`task_${at}`, each] as const)
    : isFields(value)
      ? Object.entries(value)
      : [];
  return items.flatMap(([key, each]) => {
    if (!isFields(each)) return [];
    const id = textOf(each, 'ID') ?? key;
    return [[plainName(id), each] as const];
  });
}

const plainName = (name: string): string => name.replace(/[^A-Za-z0-9_.-]/gu, '_').slice(0, 80);

/** DataFields are constants of classes there, in capital letters; exporters write small ones, too. */
const textOf = (of: DataFields, name: string): string | undefined =>
  textField(of, name) ?? textField(of, name.toLowerCase());

/** The calls of a ground truth; undefined where one of them cannot be a call of ours. */
function callsOf(task: DataFields): readonly Call[] | undefined {
  const listed = field(task, 'ground_truth') ?? field(task, 'GROUND_TRUTH');
  const calls: Call[] = [];
  for (const each of Array.isArray(listed) ? (listed as readonly unknown[]) : []) {
    const name = isFields(each) ? (textField(each, 'function') ?? textField(each, 'name')) : undefined;
    if (name === undefined || !isToolName(name)) return undefined;
    const args = field(each as DataFields, 'args');
    calls.push({ name, args: isFields(args) ? plainArgs(args) : {} });
  }
  return calls;
}

/** Arguments that are short are part of what is looked for; a model may word long ones as it likes. */
const soughtOf = ({ name, args }: Call): SoughtCall => {
  const fixed = Object.entries(args).filter(
    ([, value]) =>
      typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= 60),
  );
  return {
    name,
    ...(fixed.length === 0
      ? {}
      : { args: Object.fromEntries(fixed.map(([key, value]) => [key, String(value)])) }),
  };
};

const argNames = (calls: readonly Call[], name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    calls
      .filter((call) => call.name === name)
      .flatMap(({ args }) => Object.keys(args).filter(isToolName))
      .map((key) => [key, key]),
  );

function toolsOf(suite: DataFields): ReadonlyMap<string, StandInTool> {
  const listed = field(suite, 'tools');
  const tools = new Map<string, StandInTool>();
  for (const each of Array.isArray(listed) ? (listed as readonly unknown[]) : []) {
    const name = isFields(each) ? textField(each, 'name') : undefined;
    if (!isFields(each) || name === undefined || !isToolName(name)) continue;
    const schema = field(each, 'parameters');
    const properties = isFields(schema) ? field(schema, 'properties') : undefined;
    const args = Object.entries(isFields(properties) ? properties : {})
      .filter(([key]) => isToolName(key))
      .map(([key, of]) => [key, (isFields(of) ? textField(of, 'description') : undefined) ?? key] as const);
    tools.set(name, {
      name,
      description: textField(each, 'description') ?? `Does ${name}.`,
      args: Object.fromEntries(args),
    });
  }
  return tools;
}

/** The environment as its reader sees it: the defaults in all injection vectors but the first, which is ours. */
function worldOf(suite: DataFields): string | undefined {
  const environment = field(suite, 'environment');
  const text = typeof environment === 'string' ? environment : printed(environment);
  if (text === undefined) return undefined;
  const vectors = field(suite, 'injection_vectors');
  const defaults = new Map(
    Object.entries(isFields(vectors) ? vectors : {}).map(([key, of]) => [
      key,
      typeof of === 'string' ? of : ((isFields(of) ? textField(of, 'default') : undefined) ?? ''),
    ]),
  );
  let isFirst = true;
  const filled = withoutSlot(text).replace(/\{([A-Za-z][A-Za-z0-9_]{0,80})\}/gu, (whole, key: string) => {
    if (!defaults.has(key) && !key.startsWith('injection_')) return whole;
    if (!isFirst) return withoutSlot(defaults.get(key) ?? '');
    isFirst = false;
    return ATTACK_SLOT;
  });
  return isFirst ? undefined : filled;
}

function printed(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  try {
    return JSON.stringify(value, null, 1);
  } catch {
    return undefined;
  }
}
