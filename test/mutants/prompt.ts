import { type Mutant, rows } from './rows.js';

/** The guards of `packages/prompt`. */
export const PROMPT_MUTANTS: readonly Mutant[] = [
  ...rows('packages/prompt', 'src/redact/secret/app-places.test.ts', {
    'live.list': 'a list of them in lines is never told, however long it is and however it is cut',
  }),
  ...rows('packages/prompt', 'src/compose.test.ts', {
    'gate.secrecy': 'a secret span is refused and not echoed',
    'gate.trust': 'user text in a system block',
    'gate.forgery': 'a header made of two spans',
    'gate.leak': 'what survives redaction is refused by the leak gate',
    'gate.unicode': 'half a character is refused',
  }),
  ...rows('packages/prompt', 'src/request.test.ts', {
    'gate.beside':
      'refuses what the redactor leaves standing in tools and parameters, and says only what kind',
  }),
  ...rows('packages/prompt', 'src/memo/memo.test.ts', {
    'memo.context': 'a secret that is known from now on is refused, or masked, where it passed before',
    'memo.words': 'objects that are changed after they were composed are composed as they are now',
    'memo.beside': 'tools and parameters are looked at anew for another context',
  }),
  ...rows('packages/prompt', 'src/tool-names.test.ts', {
    'tool.ambiguous': 'a spelling that fits two tools is nobody, and both are named',
    'tool.slip':
      'a slip that may be of two tools is nobody, and both are named; one that a hidden tool has too is nobody',
  }),
  ...rows('packages/prompt', 'src/include.test.ts', {
    'include.cycle': 'a cycle is refused with its path',
    'include.depth': 'a chain of 1,000 resolves, a deeper one is refused',
    'include.steps': 'texts that double each other end with an error, not with the memory',
  }),
  ...rows('packages/prompt', 'src/shell/shell.test.ts', {
    'shell.escape.backslash': 'an escape in a body is escaped and read back as text',
    'shell.escape.header': 'a header in a body is escaped and read back as text',
    'shell.escape.field': 'a field in a body is escaped and read back as text',
    'shell.escape.item': 'a list item below the fields in a body is escaped and read back as text',
    'shell.escape.role': 'a role marker in a body is escaped and read back as text',
    'shell.escape.tool-call': 'a tool call in a body is escaped and read back as text',
    'shell.escape.fold': 'a header in full-width letters in a body is escaped and read back as text',
    'shell.break.unicode': 'a header behind NEL in a body is escaped and read back as text',
    'shell.value.quote': 'a value that could be misread is quoted',
    'shell.item.field': 'an item that reads as a field is quoted',
    'shell.escape.json': 'JSON with a call in it stays JSON',
  }),
  ...rows('packages/prompt', 'src/shell/chat-token.test.ts', {
    'shell.chat-token': 'tokens that share a character are all broken',
  }),
  ...rows('packages/prompt', 'src/clean.test.ts', {
    'shell.reprint': 'a UNC path at the start of a line is masked',
    'clean.own': 'a value that touches its neighbours is cleaned as it would be alone',
    'request.tools': 'what hides is shown whoever wrote it, in tools too',
  }),
  ...rows('packages/prompt', 'src/visible.test.ts', {
    'visible.tag': 'tag characters are shown',
    'visible.bidi': 'a bidi override are shown',
    'visible.zero-width': 'a zero-width space at the edge of a word are shown',
    'visible.control': 'an escape of a terminal are shown',
    'visible.private-use': 'a character of private use are shown',
  }),
  ...rows('packages/prompt', 'src/redact/redactor.test.ts', {
    'redact.root': 'runtime-store-space is cleaned',
    'redact.private': 'mac-tmp is cleaned',
    'redact.name': 'base64-name is cleaned',
    'redact.shape': 'root-home is cleaned',
    'redact.credential': 'token-github is cleaned',
    'redact.boundary': 'root-longer-name is cleaned',
    'redact.key': 'linux-home is cleaned',
    'redact.encoded': 'percent-upper-lower is cleaned',
    'redact.json': 'path-with-space is cleaned',
    'redact.base64': 'base64-home is cleaned',
    'leak.gate': 'a short name inside a home path is a leak, alone it is not',
  }),
  ...rows('packages/prompt', 'src/redact/secret/contexts.test.ts', {
    'redact.entry': 'a password',
  }),
  ...rows('packages/prompt', 'src/redact/cut-encoded.test.ts', {
    'redact.cut': 'a known secret that is cut is found in entities, whatever cuts it',
  }),
  ...rows('packages/prompt', 'src/redact/split-secret.test.ts', {
    'redact.split': 'is found wherever it is cut, once or several times, and again nothing is found',
  }),
  ...rows('packages/prompt', 'src/redact/reading.test.ts', {
    'redact.reading': 'is masked as it is alone: a path as added lines',
  }),
  ...rows('packages/prompt', 'src/redact/spelled.test.ts', {
    'redact.spelled': 'is masked as it is where they are not, in a bearer',
  }),
  ...rows('packages/prompt', 'src/redact/packed-lines.test.ts', {
    'redact.lines': 'is masked with all of its lines, in gzip in base64',
  }),
  ...rows('packages/prompt', 'src/redact/value.test.ts', {
    'redact.leaf': 'a path that cannot be told from its leaf goes whole',
  }),
  ...rows('packages/prompt', 'src/redact/live-behind.test.ts', {
    'live.behind': 'is told to nobody who watches: "echo % | sudo -S apt update"',
  }),
  ...rows('packages/prompt', 'src/redact/word-cut.test.ts', {
    'word.cut': 'leaves no half of a credential, wherever a text is cut and whichever half is kept',
    'word.from': 'leaves no half of a credential, wherever a text is cut and whichever half is kept',
  }),
  ...rows('packages/prompt', 'src/redact/live-words.test.ts', {
    'live.hold': 'however a text is cut, no credential in it is told, nor a part of one',
    'live.word': 'a word is told at once unless it may be the beginning of something private',
    'live.long': 'a stretch that is longer than what may be held back is masked, and what follows it is told',
  }),
];
