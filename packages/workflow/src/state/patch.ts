import { isDeepStrictEqual } from 'node:util';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Workflow } from '../package/package.js';
import { readState, type StateChange, type StateDocument, withChange } from './document.js';
import type { StateError } from './error.js';
import { checkChange } from './rules.js';
import type { StatePatch, WorkflowState } from './schema.js';

/** A patch put on a state: the new file, checked against the graph. Pure; the document stays as it is. */
export function applyPatch(
  workflow: Workflow,
  document: StateDocument,
  { update }: Pick<StatePatch, 'update'>,
): Result<StateDocument, StateError> {
  const change = changeOf(document.state, update);
  const next = readState(withChange(document, change));
  if (!next.ok) return next;
  // What was printed must read back as what was meant.
  for (const [key, value] of Object.entries(change)) {
    if (!isDeepStrictEqual(toJson(next.value.state[key]), toJson(value))) {
      return fail({
        code: 'E_SCHEMA_VALIDATION',
        errors: [{ path: key, message: 'it cannot be written as YAML' }],
      });
    }
  }
  return checked(workflow, document, next.value);
}

/** A whole new file in place of a state, held to the same rules. */
export function replaceState(
  workflow: Workflow,
  document: StateDocument,
  text: string,
): Result<StateDocument, StateError> {
  const next = readState(text);
  return next.ok ? checked(workflow, document, next.value) : next;
}

function checked(
  workflow: Workflow,
  before: StateDocument,
  after: StateDocument,
): Result<StateDocument, StateError> {
  const refused = checkChange(workflow, before.state, after.state);
  return refused === undefined ? ok(after) : fail(refused);
}

function changeOf(state: WorkflowState, update: StatePatch['update']): StateChange {
  const { stepsCompleted, variables, decisionLog, artifacts, currentNodeId, updatedAt } = update;
  return {
    ...(stepsCompleted && { stepsCompleted: unique(state.stepsCompleted, stepsCompleted.append) }),
    ...(currentNodeId && { currentNodeId: currentNodeId.set }),
    ...(variables && { variables: merged(state.variables, variables.set) }),
    ...(decisionLog && { decisionLog: [...state.decisionLog, ...decisionLog.append] }),
    ...(artifacts && { artifacts: unique(state.artifacts, artifacts.append) }),
    ...(updatedAt && { updatedAt: updatedAt.set }),
  };
}

const unique = (old: readonly string[], added: readonly string[]): readonly string[] => [
  ...new Set([...old, ...added]),
];

/** One level deep. A map by way of entries: `__proto__` is a name like any other. */
const merged = (old: Readonly<Record<string, unknown>>, set: Readonly<Record<string, unknown>>) =>
  Object.fromEntries([...Object.entries(old), ...Object.entries(set)]);

const toJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));
