import type { Story, StoryCall } from './story.js';
import { dataOf, listOf, textOf } from './story-draft.js';

/** The state of a workflow, as far as the calls that changed it tell. */
export interface WorkflowStory {
  /** Steps that were told and whose outputs exist. */
  readonly done: readonly string[];
  readonly variables: ReadonlyMap<string, unknown>;
  /** Which way was taken at a decision, and why. */
  readonly decisions: readonly string[];
  /** What was written, by its path in the project; null: named, and not written by a call. */
  readonly artifacts: ReadonlyMap<string, string | null>;
}

/**
 * The state as the latest turn was told it, with what calls that were done have changed since: live and played back it is
 * the same.
 */
export function workflowStateOf({ items, told }: Pick<Story, 'items' | 'told'>): WorkflowStory {
  const state = dataOf(told?.state);
  const done = new Set(stringsOf(state.stepsCompleted));
  const variables = new Map<string, unknown>(Object.entries(dataOf(state.variables)));
  const decisions = listOf(state.decisionLog).map(decisionWords);
  const artifacts = new Map<string, string | null>(stringsOf(state.artifacts).map((path) => [path, null]));
  const turns = items.filter((item) => item.kind === 'turn');
  const since = turns.findIndex(({ id }) => id === told?.turn);
  for (const [at, { calls }] of turns.entries())
    for (const { name, input } of calls.filter(isDone)) {
      const fields = dataOf(input);
      const path = textOf(fields.path);
      if (/^fs[._]write$/.test(name) && path.startsWith(ARTIFACTS))
        artifacts.set(path.slice(PROJECT.length), textOf(fields.content));
      if (at < since || !/^fs[._]apply_patch$/.test(name)) continue;
      const update = dataOf(dataOf(fields.patch).update);
      for (const id of stringsOf(dataOf(update.stepsCompleted).append)) done.add(id);
      for (const named of stringsOf(dataOf(update.artifacts).append))
        if (!artifacts.has(named)) artifacts.set(named, null);
      for (const [key, value] of Object.entries(dataOf(dataOf(update.variables).set)))
        variables.set(key, value);
      decisions.push(...listOf(dataOf(update.decisionLog).append).map(decisionWords));
    }
  return { done: [...done], variables, decisions, artifacts };
}

const decisionWords = ({ from, to, reason }: ReturnType<typeof dataOf>): string =>
  `${textOf(from)} → ${textOf(to)}${textOf(reason) === '' ? '' : `: ${textOf(reason)}`}`;

const PROJECT = '@project/';
const ARTIFACTS = `${PROJECT}artifacts/`;

const isDone = ({ status }: StoryCall): boolean => status === 'ok';

const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
