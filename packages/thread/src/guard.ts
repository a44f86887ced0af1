/**
 * Every check that keeps a promise passes through here under a name. It is the identity: nothing can
 * switch a guard off at run time. `npm run mutants` swaps this module for one that answers false to one
 * name at a time and expects a named test to fail.
 */
export function guard(_name: GuardName, found: boolean): boolean {
  return found;
}

/** The guards of this package. Each has a row in `test/mutants.ts`. */
export type GuardName =
  // decisions
  | 'thread.started'
  | 'thread.once'
  | 'thread.stopping'
  | 'step.max'
  | 'session.max'
  | 'session.succeeded'
  | 'choice.required'
  | 'calls.one-by-one'
  | 'handoff.once'
  | 'frame.depth'
  | 'frame.room'
  | 'subagent.name'
  | 'subagent.limit'
  | 'subagent.active'
  | 'immediate.limit'
  // secrets
  | 'secret.text'
  | 'secret.value'
  | 'secret.stream'
  // drivers
  | 'variable.required'
  | 'arguments.known'
  | 'approval.input'
  | 'history.fits'
  | 'request.silent'
  | 'attachment.missing'
  | 'attachment.mask'
  | 'attachment.secret'
  | 'attachment.later'
  | 'hook.failed'
  | 'hook.shape'
  | 'message.rewritten';
