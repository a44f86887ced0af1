/** A way on from a node, as errors and briefs name it. */
export interface AllowedNext {
  readonly to: string;
  readonly label: string;
  readonly isDefault?: true;
  readonly conditionText?: string;
}

/** Why a state cannot be read or changed, as data. */
export type StateError =
  | { readonly code: 'E_INVALID_FRONTMATTER'; readonly why: string; readonly line: number }
  | {
      readonly code: 'E_SCHEMA_VALIDATION';
      readonly errors: readonly { readonly path: string; readonly message: string }[];
    }
  | { readonly code: 'CURRENT_NODE_INVALID'; readonly node: string }
  | {
      readonly code: 'E_INVALID_TRANSITION';
      readonly from: string;
      readonly to: string;
      readonly allowedNext: readonly AllowedNext[];
    }
  | {
      readonly code: 'E_STEPS_COMPLETED';
      readonly why: 'removed' | 'unknown' | 'not-current';
      readonly steps: readonly string[];
    }
  /** The world does not show that a step is done. `outputs` are those that are not there or hold nothing. */
  | {
      readonly code: 'E_STEP_NOT_DONE';
      readonly step: string;
      readonly why: 'not-told' | 'outputs';
      readonly outputs?: readonly string[];
    }
  /** `found` is the sha256 of what is there now, or `absent`. */
  | { readonly code: 'E_PRECONDITION_FAILED'; readonly found?: string }
  /** `change` names the proposed change: a person confirms this very one. */
  | { readonly code: 'STATE_CHANGE_REQUIRES_CONFIRMATION'; readonly change: string }
  /** The disk refused; the code is that of `@cuebook/files`. */
  | { readonly code: 'E_STATE_UNAVAILABLE'; readonly system?: string };

/** One sentence for people and agents. */
export function describeStateError(error: StateError): string {
  switch (error.code) {
    case 'E_INVALID_FRONTMATTER':
      return `The frontmatter cannot be read, line ${error.line}: ${error.why}`;
    case 'E_SCHEMA_VALIDATION':
      return `The state does not fit: ${error.errors.map(({ path, message }) => `${path}: ${message}`).join('; ')}`;
    case 'CURRENT_NODE_INVALID':
      return 'The current node of the state is no node of the graph';
    case 'E_INVALID_TRANSITION':
      return `Invalid transition: ${error.from} → ${error.to}`;
    case 'E_STEPS_COMPLETED':
      return `${STEP_REASONS[error.why]}: ${error.steps.join(', ')}`;
    case 'E_STEP_NOT_DONE':
      return error.why === 'not-told'
        ? `Step ${error.step} is not done: you have not been told of it yet. End this answer; the next one begins with its brief`
        : `Step ${error.step} is not done: missing or empty: ${(error.outputs ?? []).map((path) => `@project/${path}`).join(', ')}. Write them first`;
    case 'E_PRECONDITION_FAILED':
      return 'The state is not the version that the change was made for';
    case 'STATE_CHANGE_REQUIRES_CONFIRMATION':
      return 'The workflow is complete: a person must confirm this change first';
    case 'E_STATE_UNAVAILABLE':
      return error.system === undefined
        ? 'There is no run, so there is no state'
        : `The state cannot be used (${error.system})`;
  }
}

const STEP_REASONS = {
  removed: 'Completed steps are never removed',
  unknown: 'The graph has no such step',
  'not-current': 'Only the current step can be completed',
} as const;
