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
  // The loop, effects, recovery, timers and work.
  | 'command.id'
  | 'command.reserved'
  | 'command.refresh'
  | 'command.repeat'
  | 'decision.forged'
  | 'decision.twice'
  | 'settle.open'
  | 'resolve.asked'
  | 'fire.open'
  | 'lane.fence'
  | 'recover.asked'
  | 'recover.begun'
  | 'recover.person'
  | 'recover.done'
  | 'recover.unknown'
  | 'effect.timeout'
  | 'effect.output'
  | 'effect.stopped'
  | 'lane.again'
  | 'lane.part'
  | 'lane.stop'
  | 'lease.lost'
  | 'work.held'
  // The tool loop, approvals, budgets, stalls and the agent.
  | 'tool.too-many'
  | 'tool.duplicate'
  | 'tool.not-json'
  | 'tool.input'
  | 'tool.denied'
  | 'tool.ask'
  | 'tool.not-allowed'
  | 'tool.result-size'
  | 'tool.one-result'
  | 'tool.in-order'
  | 'tool.barrier'
  | 'tool.parallel-limit'
  | 'approval.resolved'
  | 'approval.changed-input'
  | 'approval.expire'
  | 'approval.claimed'
  | 'approval.anew'
  | 'standing.size'
  | 'budget.finite'
  | 'budget.unpriced'
  | 'budget.unknown'
  | 'budget.exhausted'
  | 'budget.raise'
  | 'stall.repeat'
  | 'stall.quiet'
  | 'stall.output'
  | 'stall.poll'
  | 'stall.progress'
  | 'agent.start'
  | 'agent.busy'
  | 'agent.retries'
  | 'agent.stopped'
  | 'agent.paused'
  | 'agent.native'
  | 'driver.record'
  | 'driver.calls'
  | 'driver.text'
  | 'driver.left';
