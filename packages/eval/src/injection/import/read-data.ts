import type { Diagnostic } from '@cuebook/prompt';
import type { InjectionGoal, InjectionSuite, InjectionTask, StandInTool } from '../contract.js';
import { isAgentDojo, isAgentDojoTrace, readAgentDojo } from './agentdojo.js';
import { addInjecAgent, type InjecAgentParts, isInjecAgent, noParts } from './injecagent.js';
import { createNotes, type DataFields, readRows } from './rows.js';

export interface ImportedSuite {
  /** Undefined where nothing could be kept. */
  readonly suite: InjectionSuite | undefined;
  /** Everything that could not be kept, or is kept otherwise, by file, line and code. */
  readonly notes: readonly Diagnostic[];
}

/**
 * A suite from files of the shapes of InjecAgent and AgentDojo that somebody brings. Their attacks are tried as they are written:
 * each task with the goals that the data pairs it with. Nothing in a file makes it throw.
 */
export function readInjectionData(
  files: readonly { readonly file: string; readonly text: string }[],
): ImportedSuite {
  const notes: Diagnostic[] = [];
  const inject = noParts();
  const dojo: { tasks: InjectionTask[]; goals: InjectionGoal[]; pairs: (readonly [string, string])[] } = {
    ...{ tasks: [], goals: [], pairs: [] },
  };
  for (const { file, text } of files) {
    const own = createNotes(file);
    const rows = readRows(text, own.note);
    const lineOf = lineFinder(text);
    const suites = (rows ?? []).filter(({ value }) => isAgentDojo(value));
    if (rows === undefined) own.note(1, 'E_INJECTION_FILE', 'The file is neither JSON nor JSON Lines');
    else if (suites.length > 0)
      for (const { value, line } of suites) {
        const { tasks, goals } = readAgentDojo(value as DataFields, own.note, (word) => lineOf(word, line));
        dojo.tasks.push(...tasks);
        dojo.goals.push(...goals);
        dojo.pairs.push(...tasks.flatMap((task) => goals.map((goal) => [task.id, goal.id] as const)));
      }
    else if (rows.some(({ value }) => isInjecAgent(value))) addInjecAgent(rows, inject, own.note);
    else if (rows.some(({ value }) => isAgentDojoTrace(value)))
      own.note(
        1,
        'E_INJECTION_FILE',
        'It is the record of a run of AgentDojo, which does not say what counts as a success: export the suite itself',
      );
    else
      own.note(1, 'E_INJECTION_FILE', 'The file has neither the shape of InjecAgent nor that of AgentDojo');
    notes.push(...own.notes());
  }
  const [tasks, goals] = [
    [...taskList(inject), ...unique(dojo.tasks)],
    [...goalList(inject), ...unique(dojo.goals)],
  ];
  const loose = [...inject.loose.tasks].flatMap((task) =>
    [...inject.loose.goals].map((goal) => [task, goal] as const),
  );
  const listed = [...inject.pairs].map((pair) => JSON.parse(pair) as readonly [string, string]);
  const pairs = [...listed, ...loose, ...dojo.pairs];
  if (pairs.length === 0) return { suite: undefined, notes };
  const name = files
    .map(({ file }) => file.split('/').at(-1) ?? file)
    .join('+')
    .slice(0, 100);
  return { suite: { name, tasks, goals, attacks: AS_WRITTEN, pairs }, notes };
}

/** The line in which a name stands first, from a line on. */
function lineFinder(text: string): (word: string, from: number) => number {
  const first = new Map<string, number>();
  for (const [at, line] of text.split('\n').entries())
    for (const [, word = ''] of line.matchAll(/"([^"\\]{1,100})"/gu))
      if (!first.has(word)) first.set(word, at + 1);
  return (word, from) => Math.max(from, first.get(word) ?? from);
}

/** The data has its own words for each attack. */
const AS_WRITTEN = [{ id: 'as-written', text: '{goal}' }] as const;

const unique = <Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

const taskList = ({ tasks, tools }: InjecAgentParts): readonly InjectionTask[] =>
  [...tasks.values()].map((task) => ({ ...task, tools: described(task.tools ?? [], tools) }));

const goalList = ({ goals, tools }: InjecAgentParts): readonly InjectionGoal[] =>
  [...goals.values()].map((goal) => ({ ...goal, tools: described(goal.tools ?? [], tools) }));

/** Tools as `tools.json` describes them, where it was brought along. */
const described = (
  own: readonly StandInTool[],
  known: ReadonlyMap<string, StandInTool>,
): readonly StandInTool[] => own.map((tool) => known.get(tool.name) ?? tool);
