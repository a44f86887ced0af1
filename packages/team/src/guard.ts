/**
 * Every check that keeps a promise passes through here under a name. It is the identity: nothing can
 * switch a guard off at run time. `npm run mutants` swaps this module for one that answers false to one
 * name at a time and expects a named test to fail.
 */
export function guard(_name: GuardName, found: boolean): boolean {
  return found;
}

/** The guards of this package. Each has a row in `test/mutants.ts`. */
export type GuardName = RoleGuard | CallGuard | CapabilityGuard | RunGuard | HostGuard;

type RoleGuard =
  | 'role.name'
  | 'role.unknown'
  | 'role.declared-name'
  | 'role.constraint'
  | 'role.declared'
  | 'file.alias'
  | 'file.workspace'
  | 'workspace.circle';

type CallGuard =
  | 'call.fence'
  | 'call.prefix'
  | 'call.params'
  | 'call.depth'
  | 'call.length'
  | 'call.output'
  | 'call.native'
  | 'native.withheld'
  | 'native.claimed';

type CapabilityGuard =
  | 'spawn.template'
  | 'spawn.setting'
  | 'spawn.approval'
  | 'spawn.depth'
  | 'spawn.count'
  | 'spawn.shared'
  | 'child.clamp'
  | 'edge.none'
  | 'edge.self'
  | 'write.planning'
  | 'write.escape'
  | 'write.code'
  | 'write.docs'
  | 'write.delegate'
  | 'command.planning'
  | 'command.right'
  | 'finish.orchestrator'
  | 'review.right'
  | 'change.outside'
  | 'access.commands'
  | 'folder.acts';

type RunGuard =
  | 'alias.taken'
  | 'handoff.edge'
  | 'handoff.room'
  | 'handoff.reference'
  | 'finish.unknown'
  | 'finish.failing'
  | 'finish.owed'
  | 'finish.unchecked'
  | 'turn.finishing'
  | 'turn.parallel'
  | 'turn.provider'
  | 'turn.workspace'
  | 'turn.folder'
  | 'turn.repaired'
  | 'turn.held'
  | 'memory.room'
  | 'run.over'
  | 'run.stall'
  | 'run.cycle'
  | 'turn.unheard'
  | 'change.unsure'
  | 'auto.quiet'
  | 'role.proposed'
  | 'grant.spawn';

// The host and its drivers.
type HostGuard =
  | 'role.unattributed'
  | 'role.agent'
  | 'role.doubted'
  | 'turn.left'
  | 'turn.unsent'
  | 'artifact.foreign'
  | 'artifact.missing'
  | 'artifact.redact'
  | 'run.foreign'
  | 'planned.redact';
