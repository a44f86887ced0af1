import { type Mutant, rows } from './rows.js';

/** The guards of `packages/provider`. */
export const PROVIDER_MUTANTS: readonly Mutant[] = [
  ...rows('packages/provider', 'src/api/odd-streams.test.ts', {
    'api.lines': 'with CR it is the same answer',
    'api.unknown-event': 'with events that nobody knows it is the same answer',
  }),
  ...rows('packages/provider', 'src/claude/permission.test.ts', {
    'claude.plan': 'is never allowed to act in planning, whatever a person says',
    'claude.change': 'is denied when the input is changed to {}',
  }),
  ...rows('packages/provider', 'src/claude/hostile.test.ts', {
    'claude.session-id': 'is not started for a session id that is none, nor after the session is closed',
  }),
  ...rows('packages/provider', 'src/stream/choke.test.ts', {
    'turn.leak': 'refuses bytes that hold a credential, and says only what kind',
    'turn.record': 'sends nothing that could not be recorded',
    'turn.late': 'sends nothing after the end of the turn',
    'turn.clean': 'tool results and answers are cleaned before a provider sees them',
    'turn.neutral':
      'descriptions of tools cannot be read as structure; names, patterns and values keep their bytes',
  }),
  ...rows('packages/provider', 'src/stream/run-turn.test.ts', {
    'turn.idle': 'ends a silent turn, tells the speaker, and waits for it',
    'turn.total': 'does not call a turn silent while things happen, but ends it when it takes too long',
    'turn.output': 'ends a turn of too much received',
    'turn.gone': 'a reader who leaves aborts the turn',
  }),
  ...rows('packages/provider', 'src/stream/event-queue.test.ts', {
    'queue.coalesce': 'joins deltas of one thing when the reader is behind',
  }),
  ...rows('packages/provider', 'src/api/failure.test.ts', {
    'api.own-key': 'a prompt that holds the key of the provider is not sent',
    'api.redirect': 'a redirect does not carry the prompt elsewhere',
  }),
  ...rows('packages/provider', 'src/api/wire.test.ts', {
    'api.spoke': 'keeps the text when the connection is cut in mid-stream, and does not say it twice',
  }),
  ...rows('packages/provider', 'src/api/request/request.test.ts', {
    'api.thought': 'are dropped when they hold what must not be said again',
  }),
  ...rows('packages/provider', 'src/api/request/vendor-rules.test.ts', {
    'api.window': 'a full context window is no limit of the answer',
    'api.schema': 'that does not take a schema is asked for JSON, then for words, and never again for more',
  }),
  ...rows('packages/provider', 'src/api/strange.test.ts', {
    'api.choice': 'a tool that is not offered is left to choose, and it is said',
    'api.stops': 'stop texts of white space are left out for Claude, and it is said',
    'api.beginning': 'a history of google that begins with an answer has somebody begin it',
    'api.google-schema': 'for all schemas of a tool: the request is taken, whoever wrote them',
    'api.argument':
      'a call whose arguments have odd names comes with those of the tool, and goes back with those it was told',
  }),
  ...rows('packages/provider', 'src/mcp/turn-tools.test.ts', {
    'tool.fit':
      'tools are offered in schemas that any model API takes, and calls come with the names of the tool',
  }),
  ...rows('packages/provider', 'src/telemetry/turn-span.test.ts', {
    'telemetry.off': 'there is none when telemetry is off, and the environment goes first',
  }),
  ...rows('packages/provider', 'src/price/price.test.ts', {
    'price.unknown': 'refuses a model without a price before anything is spent',
  }),
  ...rows('packages/provider', 'src/mcp/handler.test.ts', {
    'mcp.unknown-tool': 'runs no tool that it did not offer',
    'mcp.output': 'cuts output that is too long, and says so',
  }),
  ...rows('packages/provider', 'src/server/connect.test.ts', {
    'mcp.redirect': 'what is asked goes to no other address than the one that is named',
    'mcp.name': 'offers its tools under its own name, and answers calls',
    'mcp.description': 'what it says about itself is one plain line, marked as its words',
    'mcp.time': 'that hangs, dies or is not there is an error result, in bounded time',
    'mcp.auth': 'E_MCP_LOGIN when it is reached and when it is called',
    'mcp.answer': 'E_MCP_TOO_LARGE when it is reached and when it is called',
    'mcp.line': 'a server that is not there, and one that is a program without sense or end',
    'mcp.property':
      'a property named by a sentence: the tool is not offered, and the problem names it without the words',
    'mcp.choice': 'an enum',
    'mcp.schema-size': 'a schema without end is not read to its end, and one that is plain stays what it is',
    'mcp.changed': 'a server that says its tools have changed is asked again between turns, and not before',
  }),
  ...rows('packages/provider', 'src/server/log-in.test.ts', {
    'login.state': 'an answer that nobody asked for is not taken',
    'logout.open':
      'a login is taken back where the server offers it, and removed in any case: http://127.0.0.2:9/revoke',
    'login.address': 'a login is for one address: another server of the same name never gets its token',
    'login.echo':
      'a server that asks for a login is used after one, the login is made fresh, and no token is told',
    'login.words':
      'a server that asks for a login is used after one, the login is made fresh, and no token is told',
  }),
  ...rows('packages/provider', 'src/mcp/resources.test.ts', {
    'mcp.uri': 'an address without end is not looked for',
  }),
  ...rows('packages/provider', 'src/mcp/loopback.test.ts', {
    'loopback.host': 'answers a foreign Host',
    'loopback.origin': 'answers a page of a browser',
    'loopback.token': 'opens to no other token',
    'loopback.body': 'answers too much',
  }),
  ...rows('packages/provider', 'src/rehearsal/provider.test.ts', {
    'rehearsal.denied':
      'heeds a person: what was denied is not done, nor what would follow it, and the step says so',
    'rehearsal.plan': 'writes nothing while planning',
  }),
  ...rows('packages/provider', 'src/acp/permission.test.ts', {
    'acp.plan': 'lets plan do what it is for and nothing else',
    'acp.edit': 'lets edit do what it is for and nothing else',
    'acp.option': 'never picks an id that stands for another option too',
  }),
  ...rows('packages/provider', 'src/acp/attack.test.ts', {
    'acp.approval': 'let nothing through, with every request denied',
    'acp.unasked': 'an act that it never asked for ends it',
    'acp.other-act': 'and is another one when it is told as done ends the agent: another command',
    'acp.echo': 'is told, but for the repetition of a call that came over our channel',
  }),
  ...rows('packages/provider', 'src/claude/attack.test.ts', {
    'claude.channel':
      'by the name of ours: it is not ours while it has not: another server may have the name',
  }),
  ...rows('packages/provider', 'src/line/line.test.ts', {
    'line.unknown-tool': 'runs no tool that was not offered',
  }),
  ...rows('packages/provider', 'src/catalog/catalog.test.ts', {
    'catalog.run': 'runs no program that a project names',
  }),
  ...rows('packages/provider', 'src/codex/settings.test.ts', {
    'codex.plan': 'access plan, asking true',
  }),
  ...rows('packages/provider', 'src/codex/tool-names.test.ts', {
    'codex.name': 'apply_patch is told as cuebook_apply_patch',
  }),
  ...rows('packages/provider', 'src/codex/hostile.test.ts', {
    'codex.greeting': 'garbage: a typed end, within its limits',
    'codex.noise': 'late garbage: a typed end, within its limits',
    'codex.exec-noise': 'exec garbage: a typed end, within its limits',
    'codex.stuck': 'leaves no process behind when it does not stop by itself',
    'codex.thread-id': 'odd thread: a typed end, within its limits',
  }),
  ...rows('packages/provider', 'src/codex/app-server/turn-reader.test.ts', {
    'codex.thread': 'keeps two threads of one process apart',
    'codex.turn': 'does not count an earlier turn that a resumed thread tells again',
    'codex.output': 'tells nothing private of what its tools were given and gave, and cuts what is long',
  }),
  ...rows('packages/provider', 'src/codex/app-server/attack.test.ts', {
    'codex.cwd': 'shows where a command runs, unless it is the folder of the session',
  }),
  ...rows('packages/provider', 'src/codex/app-server/requests.test.ts', {
    'codex.tool': 'a tool that is not ours, or that nobody runs',
    'codex.approval': 'a command, denied',
    'codex.grant': 'more rights, for the turn alone',
    'codex.elicit': 'a question of an MCP server: a permission, or something that only a person can fill in',
  }),
  ...rows('packages/provider', 'src/gemini/words.test.ts', {
    'gemini.trust': 'trust a folder only where commands may be run, or when told',
    'gemini.at': '@a',
  }),
  ...rows('packages/provider', 'src/gemini/hostile.test.ts', {
    'gemini.noise': 'garbage: a typed end, within its limits',
    'gemini.slash':
      'begins a session once, goes on with it, and does not speak of one that was never answered',
    'gemini.acp': 'is spoken to over ACP only where headless mode will not do',
  }),
  ...rows('packages/provider', 'src/acp/acp.test.ts', {
    'acp.command': 'takes words that look like a command as words: /clear',
    'acp.ask-first':
      'that acts by itself unless its settings say otherwise is told to ask where a person is asked',
  }),
  ...rows('packages/provider', 'src/mcp/prompts.test.ts', {
    'mcp.unknown-prompt': 'are refused for {"name":"gone"}',
    'mcp.cursor': 'have no page at "x"',
    'mcp.cancel': 'is cut off and gets no answer',
  }),
];
