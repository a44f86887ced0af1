import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { hasAnchors, printPath, withKeys } from '@cuebook/yaml';
import { type Frontmatter, readFrontmatter } from '../package/frontmatter.js';
import type { StateError } from './error.js';
import { stateSchema, type WorkflowState } from './schema.js';

/** The one place of the state. */
export const STATE_PATH = '@state/workflow.md';

/** A state file, read. Every read gives values of its own. */
export interface StateDocument {
  readonly text: string;
  readonly cut: Frontmatter;
  readonly state: WorkflowState;
}

/** Reads a state file: YAML that executes nothing, and the shape of a state. */
export function readState(text: string): Result<StateDocument, StateError> {
  const cut = readFrontmatter(STATE_PATH, text);
  if (!cut.ok) {
    return fail({ code: 'E_INVALID_FRONTMATTER', why: cut.error.message, line: cut.error.line });
  }
  if (guard('frontmatter.alias', hasAnchors(cut.value.front))) {
    const why = 'Anchors and aliases are not allowed in a state';
    return fail({ code: 'E_INVALID_FRONTMATTER', why, line: 1 });
  }
  const parsed = stateSchema.safeParse(cut.value.yaml.value ?? {});
  if (!parsed.success) {
    const errors = parsed.error.issues
      .slice(0, 20)
      .map(({ path, message }) => ({ path: printPath(path) || '(state)', message }));
    return fail({ code: 'E_SCHEMA_VALIDATION', errors });
  }
  return ok({ text, cut: cut.value, state: parsed.data });
}

/** The keys of a state that a patch changes, by name. */
export type StateChange = Readonly<Record<string, unknown>>;

/** The file with these keys set: comments and all other keys stay, and so does the body, byte for byte. */
export function withChange({ cut }: StateDocument, change: StateChange): string {
  return `${cut.head}${withKeys(cut.front, change)}${cut.fence}${cut.body}`;
}
