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
  // stream
  | 'turn.leak'
  | 'turn.record'
  | 'turn.late'
  | 'turn.idle'
  | 'turn.total'
  | 'turn.output'
  | 'turn.gone'
  | 'queue.coalesce'
  | 'turn.clean'
  | 'turn.neutral'
  | 'telemetry.off'
  // api, price
  | 'api.own-key'
  | 'api.redirect'
  | 'api.spoke'
  | 'api.thought'
  | 'api.window'
  | 'api.schema'
  | 'price.unknown'
  // mcp, acp, line, rehearsal, catalog
  | 'catalog.run'
  | 'line.unknown-tool'
  | 'acp.plan'
  | 'acp.edit'
  | 'acp.command'
  | 'acp.option'
  | 'acp.approval'
  | 'acp.unasked'
  | 'acp.echo'
  | 'loopback.host'
  | 'loopback.origin'
  | 'loopback.token'
  | 'loopback.body'
  | 'mcp.unknown-tool'
  | 'mcp.output'
  | 'mcp.unknown-prompt'
  | 'mcp.cursor'
  | 'mcp.cancel'
  | 'rehearsal.denied'
  | 'rehearsal.plan'
  // claude
  | 'claude.plan'
  | 'claude.change'
  | 'claude.channel'
  | 'claude.session-id'
  // codex
  | 'codex.plan'
  | 'codex.name'
  | 'codex.greeting'
  | 'codex.noise'
  | 'codex.exec-noise'
  | 'codex.stuck'
  | 'codex.thread'
  | 'codex.thread-id'
  | 'codex.turn'
  | 'codex.tool'
  | 'codex.approval'
  | 'codex.grant'
  | 'codex.elicit'
  | 'codex.output'
  // gemini
  | 'gemini.trust'
  | 'gemini.noise'
  | 'gemini.slash'
  | 'gemini.at'
  | 'gemini.acp';
