import { describeStateError, type StateError } from '../state/error.js';

/** What a turn needs and does not have. No model is called. */
export interface PreconditionError {
  readonly code: 'ENGINE_PRECONDITION_FAILED';
  readonly missing:
    | { readonly kind: 'agent'; readonly id: string }
    | { readonly kind: 'step-file'; readonly node: string }
    | { readonly kind: 'state'; readonly error: StateError };
}

/** One sentence for people and agents. */
export function describePrecondition({ missing }: PreconditionError): string {
  switch (missing.kind) {
    case 'agent':
      return `No agent of the package has the id "${missing.id}"`;
    case 'step-file':
      return `The step file of the node "${missing.node}" is missing, or its path leaves the package`;
    case 'state':
      return describeStateError(missing.error);
  }
}
