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
  | 'gate.secrecy'
  | 'gate.trust'
  | 'gate.forgery'
  | 'gate.leak'
  | 'gate.beside'
  | 'gate.unicode'
  | 'include.cycle'
  | 'include.depth'
  | 'include.steps'
  | 'shell.escape.backslash'
  | 'shell.escape.header'
  | 'shell.escape.field'
  | 'shell.escape.item'
  | 'shell.escape.role'
  | 'shell.escape.tool-call'
  | 'shell.escape.fold'
  | 'shell.escape.json'
  | 'shell.chat-token'
  | 'shell.reprint'
  | 'shell.break.unicode'
  | 'shell.value.quote'
  | 'shell.item.field'
  | 'tool.ambiguous'
  | 'visible.tag'
  | 'visible.bidi'
  | 'visible.zero-width'
  | 'visible.control'
  | 'visible.private-use'
  | 'clean.own'
  | 'request.tools'
  | 'memo.context'
  | 'memo.words'
  | 'memo.beside'
  | RedactGuard;

export type RedactGuard =
  | 'redact.root'
  | 'redact.private'
  | 'redact.name'
  | 'redact.shape'
  | 'redact.credential'
  | 'redact.boundary'
  | 'redact.key'
  | 'redact.encoded'
  | 'redact.leaf'
  | 'redact.json'
  | 'redact.base64'
  | 'live.hold'
  | 'live.long'
  | 'redact.entry'
  | 'live.word'
  | 'leak.gate';
