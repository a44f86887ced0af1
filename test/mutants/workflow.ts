import { type Mutant, rows } from './rows.js';

/** The guards of step workflows. */
export const WORKFLOW_MUTANTS: readonly Mutant[] = [
  ...rows('packages/workflow', 'test/kind.test.ts', {
    'host.unaccepted': 'a package that nobody has accepted is not followed',
    'workflow.sources':
      'is told the words of its beginning after every source was edited, in another process',
    'policy.now': 'what the operator takes away in the middle of a run is not done, and the words stay',
  }),
  ...rows('packages/workflow', 'src/tool/withheld.test.ts', {
    'package.withheld-content': 'nor does one reach it in a package that is still in its archive',
  }),
  ...rows('packages/workflow', 'src/package/load.test.ts', {
    'package.size': 'a huge graph is refused',
    'package.path': 'a step outside the package is refused',
    'package.one-line': 'a line separator in a condition is refused',
    'package.structure': 'a header as a label is refused',
    'package.duplicate': 'two nodes of one id is refused',
    'package.edge': 'an edge to nowhere is refused',
    'package.default': 'two default edges is refused',
    'package.entry': 'an entry that is no node is refused',
    'package.unreachable': 'a node that nothing leads to is refused',
    'package.step': 'a step of another node is refused',
    'frontmatter.fence': 'a step in another language is refused',
  }),
  ...rows('packages/workflow', 'src/run/tell-run.test.ts', {
    'question.grant': 'cannot allow questions for the rest of the run: nobody would answer them',
    'run.tell': 'after a crash of the next turn, a voice that may have acted waits for a person',
  }),
  ...rows('packages/workflow', 'src/state/state.test.ts', {
    'frontmatter.alias': 'an alias',
    'state.node': 'cannot go to a node that is not there',
    'state.transition': 'cannot hop over a node',
    'state.shrink': 'a whole new file obeys the same rules',
    'state.unknown-step': 'tells an unknown step from one that is not yet to be done',
    'state.unvisited-step': 'cannot complete the end at step one',
    'state.decision': 'logs no decision of its own',
  }),
  ...rows('packages/workflow', 'src/run/steps-done.test.ts', {
    'outputs.unseen':
      'a step whose output is missing or empty is not done, and the agent is told which: characters that no font shows',
    'state.told': 'four patches in one answer finish one step',
    'state.outputs':
      'a step whose output is missing or empty is not done, and the agent is told which: missing',
  }),
  ...rows('packages/workflow', 'src/state/file.test.ts', {
    'state.precondition': 'refuses a change made for another version',
    'state.confirm': 'a change waits for a person, then goes through once',
    'state.confirm-once': 'a confirmation is used up even where the state comes back',
  }),
  ...rows('packages/workflow', 'src/compose/compose.test.ts', {
    'compose.agent': 'an agent that is not there',
    'compose.step': 'a step file that is not there',
  }),
  ...rows('packages/workflow', 'src/compose/state-summary.test.ts', {
    'compose.budget': 'a large state is cut to the budget and stays valid JSON',
    'frontmatter.size': 'a frontmatter of any size is refused by its length',
  }),
  ...rows('packages/workflow', 'src/policy/policy.test.ts', {
    'policy.tighten': 'an agent cannot widen',
  }),
  ...rows('packages/workflow', 'src/tool/tools.test.ts', {
    'tool.available': 'a tool that is off is not run, however it is called',
    'tool.state-only': 'nothing else is patched',
    'tool.read-limit': 'a file over the limit is told in part, a window over it is refused',
    'tool.window-limit': 'a file over the limit is told in part, a window over it is refused',
    'tool.write-limit': 'keeps to the limit and to the version',
    'tool.result-size': 'a large result is kept where tools can read it and not change it',
    'tool.roll-back': 'takes a new artifact back when the state cannot have it',
    'audit.content': 'has a line for every call, refused ones too, without contents, and no tool writes it',
  }),
  ...rows('packages/workflow', 'src/run/run.test.ts', {
    'run.turns': 'case 50: after the bound of turns it fails, the state is valid, and a word goes on',
    'run.compose': 'the log takes no word about a turn that is not in flight',
  }),
  ...rows('packages/workflow', 'src/run/machine/rules.test.ts', {
    'run.closing': 'are none before the first turn and in the closing one',
    'run.server-asks': 'of a server are asked about where the operator says so, and nothing else is',
  }),
  ...rows('packages/workflow', 'src/run/completion.test.ts', {
    'run.confirm':
      'case 7: a change of the state waits for a person, goes through once, and the workflow is active again',
    'run.confirmed-state': 'a confirmation is for the state that the person saw',
  }),
  ...rows('packages/workflow', 'src/run/tool-driver.test.ts', {
    'run.state-words': 'a credential in a call is written where the call says, and not into the state',
    'run.resume': 'after the state was changed is finished, and the change is not made twice',
    'run.unknown': 'and whose file somebody else has written since is unknown, and left as it is',
    'audit.once': 'after the state was changed is finished, and the change is not made twice',
  }),
  ...rows('packages/workflow', 'src/run/leaks-run.test.ts', {
    'run.redact': 'no string that tells of the machine reaches the provider, the log of calls or the audit',
  }),
  ...rows('packages/workflow', 'src/run/question/question.test.ts', {
    'question.forged': 'cannot be answered by the model that asks it',
    'question.answer': 'takes no answer that does not fit: another shape',
    'question.option': 'takes no answer that does not fit: an option that is not there',
  }),
  ...rows('packages/workflow', 'src/package/fields.test.ts', {
    'package.runtime': 'minRuntimeVersion 99.0.0',
    'package.integrity': 'integrity.sha256 is that of the files, and any other is refused',
    'package.unused': 'userPromptTemplate that nothing reads is a warning at its place',
    'package.tools': 'is an error: the settings',
  }),
  ...rows('packages/workflow', 'src/run/first-turn.test.ts', {
    'package.servers': 'what is rendered has the tools of MCP servers as the first turn has them: api',
  }),
  ...rows('packages/workflow', 'src/tool/terminal.test.ts', {
    'terminal.command': 'a command that is no bare name is refused: an absolute path',
    'terminal.folder': 'runs in no other folder',
    'terminal.time': 'time is bounded by the policy, whatever is asked for, and what it started ends with it',
  }),
  ...rows('packages/workflow', 'src/package/acceptance.test.ts', {
    'package.accepted': 'a package is accepted for its bytes alone, and a note that says otherwise is none',
  }),
  ...rows('packages/workflow', 'src/compose/compose.test.ts', {
    'compose.persona': 'of a package that nobody accepted is fenced, and no system text',
  }),
  ...rows('packages/workflow', 'src/run/servers-run.test.ts', {
    'mcp.allowed':
      'a server is started only where the operator allows it, and seen only where the agent may use it',
  }),
];

/** The guards of the lock. */
export const LOCK_MUTANTS: readonly Mutant[] = [
  ...rows('packages/files', 'src/lock/lock.test.ts', {
    'lock.held': 'a holder that lives is waited for and never pushed aside',
    'lock.progress':
      'a queue that moves is waited for to its end, whatever patience there is with one holder',
  }),
];

/** The guards of archives. */
export const ZIP_MUTANTS: readonly Mutant[] = rows('packages/files', 'src/source/zip.test.ts', {
  'zip.many': 'too many entries',
  'zip.large': 'more than may be unpacked in all',
  'zip.ratio': 'far more inside than outside',
  'zip.encrypted': 'an encrypted entry',
  'zip.link': 'a symbolic link',
  'zip.duplicate': 'one name in two cases',
  'zip.checksum': 'a wrong checksum',
});
