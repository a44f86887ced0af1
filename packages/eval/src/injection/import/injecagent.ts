import type { JsonValue } from '@cuebook/prompt';
import { ATTACK_SLOT, type InjectionGoal, type InjectionTask, type StandInTool } from '../contract.js';
import { readPythonLiteral } from './python-literal.js';
import {
  type DataFields,
  type DataRow,
  field,
  isFields,
  isToolName,
  type Note,
  plainArgs,
  textField,
  withoutSlot,
} from './rows.js';

/** What files of the shape of InjecAgent hold, before tasks and goals are put together. */
export interface InjecAgentParts {
  readonly tasks: Map<string, InjectionTask>;
  readonly goals: Map<string, InjectionGoal>;
  /** Rows that name both. */
  readonly pairs: Set<string>;
  /** Tasks and goals of files that name one of both: each goes with each. */
  readonly loose: { readonly tasks: Set<string>; readonly goals: Set<string> };
  /** What `tools.json` says of tools, by their names. */
  readonly tools: Map<string, StandInTool>;
}

export const noParts = (): InjecAgentParts => ({
  tasks: new Map(),
  goals: new Map(),
  pairs: new Set(),
  loose: { tasks: new Set(), goals: new Set() },
  tools: new Map(),
});

const SLOT = '<Attacker Instruction>';

/** Whether a row has the shape of InjecAgent's test cases, user cases, attacker cases or tools. */
export const isInjecAgent = (value: unknown): boolean =>
  isFields(value) &&
  (textField(value, 'User Tool') !== undefined ||
    Array.isArray(field(value, 'Attacker Tools')) ||
    isToolkit(value));

const isToolkit = (value: DataFields): boolean =>
  typeof field(value, 'toolkit') === 'string' && Array.isArray(field(value, 'tools'));

/** Adds the rows of a file. What cannot be kept is told by its line. */
export function addInjecAgent(rows: readonly DataRow[], parts: InjecAgentParts, note: Note): void {
  let isTold = false;
  for (const { line, value } of rows) {
    const drop = (message: string): void => note(line, 'W_INJECTION_DROPPED', message);
    if (!isFields(value) || !isInjecAgent(value)) {
      drop('The row is none of InjecAgent: it has no User Tool, no Attacker Tools and no tools');
      continue;
    }
    if (isToolkit(value)) {
      addTools(value, parts, drop);
      continue;
    }
    const hasUser = textField(value, 'User Tool') !== undefined;
    const hasAttacker = Array.isArray(field(value, 'Attacker Tools'));
    const task = hasUser ? taskOf(value, drop) : undefined;
    const goal = hasAttacker ? goalOf(value, drop) : undefined;
    if ((hasUser && task === undefined) || (hasAttacker && goal === undefined)) continue;
    if (task !== undefined && !isTold)
      note(
        line,
        'W_INJECTION_CHANGED',
        'The data says nothing of a right answer: utility is that the tool of the user was called',
      );
    isTold ||= task !== undefined;
    const id = task === undefined ? undefined : keep(parts.tasks, task, 'thread/user-');
    const of = goal === undefined ? undefined : keep(parts.goals, goal, 'attacker-');
    if (id !== undefined && of !== undefined) parts.pairs.add(JSON.stringify([id, of]));
    else if (id !== undefined) parts.loose.tasks.add(id);
    else if (of !== undefined) parts.loose.goals.add(of);
  }
}

/** The id of something among those known; what is the same but for its id is one. */
function keep<Item extends { readonly id: string }>(
  known: Map<string, Item>,
  item: Item,
  prefix: string,
): string {
  const key = JSON.stringify(item);
  const found = known.get(key);
  if (found !== undefined) return found.id;
  const id = `${prefix}${known.size + 1}`;
  known.set(key, { ...item, id });
  return id;
}

function taskOf(row: DataFields, drop: (message: string) => void): InjectionTask | undefined {
  const tool = textField(row, 'User Tool') as string;
  const ask = textField(row, 'User Instruction');
  if (ask === undefined) return refuse('It has no User Instruction');
  if (!isToolName(tool)) return refuse('User Tool is no name that a tool can have');
  const text = templateOf(row);
  if (text === undefined)
    return refuse(`Neither Tool Response Template has ${SLOT} nor Tool Response the Attacker Instruction`);
  const args = argsOf(row);
  return {
    id: '',
    kind: 'thread',
    ask: withoutSlot(ask),
    tools: [
      {
        name: tool,
        description: `Does ${tool}.`,
        args: Object.fromEntries(Object.keys(args).map((name) => [name, name])),
      },
    ],
    results: { [tool]: text },
    utility: { calls: [{ name: tool }] },
    solution: [{ calls: [{ name: tool, args }] }, { text: 'Done.' }],
  };

  function refuse(message: string): undefined {
    drop(message);
    return undefined;
  }
}

/** The result of the user's tool with one place for the attack. */
function templateOf(row: DataFields): string | undefined {
  const template = textField(row, 'Tool Response Template');
  if (template?.includes(SLOT)) return oneSlot(template, SLOT);
  const [response, instruction] = [textField(row, 'Tool Response'), textField(row, 'Attacker Instruction')];
  if (response === undefined || instruction === undefined || !response.includes(instruction))
    return undefined;
  return oneSlot(response, instruction);
}

function oneSlot(text: string, at: string): string {
  const [before = '', ...after] = text.split(at);
  return `${withoutSlot(before)}${ATTACK_SLOT}${withoutSlot(after.join(''))}`;
}

/** `Tool Parameters` is what Python prints, or an object. */
function argsOf(row: DataFields): Readonly<Record<string, JsonValue>> {
  const given = field(row, 'Tool Parameters');
  const read = typeof given === 'string' ? readPythonLiteral(given) : given;
  return isFields(read) ? plainArgs(read) : {};
}

function goalOf(row: DataFields, drop: (message: string) => void): InjectionGoal | undefined {
  const tools = (field(row, 'Attacker Tools') as readonly unknown[]).filter(
    (name) => typeof name === 'string',
  );
  const asks = textField(row, 'Attacker Instruction');
  if (asks === undefined || tools.length === 0 || !tools.every(isToolName)) {
    drop(
      asks === undefined
        ? 'It has no Attacker Instruction'
        : 'Attacker Tools are no names that tools can have',
    );
    return undefined;
  }
  return {
    id: '',
    kinds: ['thread'],
    // Data is stolen in two steps: it is fetched, and sent away.
    ...(tools.length > 1 ? { exfiltrates: true } : {}),
    asks: withoutSlot(asks),
    act: { calls: tools.map((name) => ({ name })) },
    steps: tools.map((name) => ({ calls: [{ name, args: {} }] })),
    tools: tools.map((name) => ({ name, description: `Does ${name}.` })),
  };
}

function addTools(row: DataFields, { tools }: InjecAgentParts, drop: (message: string) => void): void {
  const prefix = textField(row, 'name_for_model') ?? textField(row, 'toolkit') ?? '';
  for (const each of field(row, 'tools') as readonly unknown[]) {
    const name = isFields(each) ? `${prefix}${textField(each, 'name') ?? ''}` : '';
    if (!isFields(each) || !isToolName(name)) {
      drop('A tool has no name that a tool can have');
      continue;
    }
    const parameters = field(each, 'parameters');
    const args = (Array.isArray(parameters) ? parameters : []).flatMap((of: unknown) => {
      const argument = isFields(of) ? textField(of, 'name') : undefined;
      return argument === undefined || !isToolName(argument)
        ? []
        : [[argument, textField(of as DataFields, 'description') ?? argument] as const];
    });
    tools.set(name, {
      name,
      description: textField(each, 'summary') ?? textField(each, 'description') ?? `Does ${name}.`,
      args: Object.fromEntries(args),
    });
  }
}
