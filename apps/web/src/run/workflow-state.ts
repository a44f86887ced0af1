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

/** Reads the state from the calls that were done, in their order: live and played back it is the same. */
export function workflowStateOf({ items }: Pick<Story, 'items'>): WorkflowStory {
  const done = new Set<string>();
  const variables = new Map<string, unknown>();
  const decisions: string[] = [];
  const artifacts = new Map<string, string | null>();
  for (const { name, input } of items.flatMap((item) =>
    item.kind === 'turn' ? item.calls.filter(isDone) : [],
  )) {
    const fields = dataOf(input);
    const path = textOf(fields.path);
    if (/^fs[._]write$/.test(name) && path.startsWith(ARTIFACTS))
      artifacts.set(path.slice(PROJECT.length), textOf(fields.content));
    if (!/^fs[._]apply_patch$/.test(name)) continue;
    const update = dataOf(dataOf(fields.patch).update);
    for (const id of stringsIn(update.stepsCompleted)) done.add(id);
    for (const named of stringsIn(update.artifacts)) if (!artifacts.has(named)) artifacts.set(named, null);
    for (const [key, value] of Object.entries(dataOf(dataOf(update.variables).set)))
      variables.set(key, value);
    for (const { from, to, reason } of listOf(dataOf(update.decisionLog).append))
      decisions.push(`${textOf(from)} → ${textOf(to)}${textOf(reason) === '' ? '' : `: ${textOf(reason)}`}`);
  }
  return { done: [...done], variables, decisions, artifacts };
}

const PROJECT = '@project/';
const ARTIFACTS = `${PROJECT}artifacts/`;

const isDone = ({ status }: StoryCall): boolean => status === 'ok';

const stringsIn = (change: unknown): readonly string[] => {
  const { append } = dataOf(change);
  return Array.isArray(append) ? append.filter((each) => typeof each === 'string') : [];
};
