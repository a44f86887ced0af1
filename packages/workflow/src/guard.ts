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
  // Packages.
  | 'package.size'
  | 'package.path'
  | 'package.one-line'
  | 'package.structure'
  | 'package.duplicate'
  | 'package.edge'
  | 'package.default'
  | 'package.entry'
  | 'package.unreachable'
  | 'package.step'
  | 'host.unaccepted'
  // The state file.
  | 'frontmatter.fence'
  | 'frontmatter.alias'
  | 'frontmatter.size'
  | 'state.node'
  | 'state.transition'
  | 'state.shrink'
  | 'state.unknown-step'
  | 'state.unvisited-step'
  | 'state.decision'
  | 'state.told'
  | 'state.outputs'
  | 'state.precondition'
  | 'state.confirm'
  | 'state.confirm-once'
  // The composer.
  | 'compose.agent'
  | 'compose.persona'
  | 'package.accepted'
  | 'package.runtime'
  | 'package.integrity'
  | 'package.unused'
  | 'package.tools'
  | 'compose.step'
  | 'compose.budget'
  // Policy and tools.
  | 'policy.tighten'
  | 'tool.available'
  | 'tool.state-only'
  | 'tool.read-limit'
  | 'tool.window-limit'
  | 'tool.write-limit'
  | 'tool.result-size'
  | 'tool.roll-back'
  | 'audit.content'
  | 'audit.once'
  // Runs.
  | 'run.turns'
  | 'run.compose'
  | 'run.closing'
  | 'run.confirm'
  | 'run.server-asks'
  | 'run.confirmed-state'
  | 'run.redact'
  | 'run.state-words'
  | 'run.resume'
  | 'run.unknown'
  | 'run.tell'
  | 'question.forged'
  | 'question.answer'
  | 'question.option'
  | 'question.grant'
  // Programs and servers.
  | 'terminal.command'
  | 'terminal.folder'
  | 'terminal.time'
  | 'mcp.allowed'
  | 'mcp.name'
  | 'mcp.auth'
  | 'mcp.answer'
  | 'mcp.line'
  | 'mcp.property'
  | 'mcp.choice'
  | 'mcp.schema-size'
  | 'mcp.description'
  | 'mcp.time';
