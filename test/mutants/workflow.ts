import { type Mutant, rows } from './rows.js';

/** The guards of step workflows. */
export const WORKFLOW_MUTANTS: readonly Mutant[] = [
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
  ...rows('packages/workflow', 'src/state/state.test.ts', {
    'frontmatter.alias': 'an alias',
    'state.node': 'cannot go to a node that is not there',
    'state.transition': 'cannot hop over a node',
    'state.shrink': 'a whole new file obeys the same rules',
    'state.unknown-step': 'tells an unknown step from one that is not yet to be done',
    'state.unvisited-step': 'cannot complete the end at step one',
    'state.decision': 'logs no decision of its own',
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
    'tool.hidden': 'fs.read "@project/sub/.env": E_SANDBOX_VIOLATION',
    'tool.state-only': 'nothing else is patched',
    'tool.read-limit': 'a file over the limit is told in part, a window over it is refused',
    'tool.window-limit': 'a file over the limit is told in part, a window over it is refused',
    'tool.write-limit': 'keeps to the limit and to the version',
    'tool.result-size': 'a large result is kept where tools can read it and not change it',
    'tool.roll-back': 'takes a new artifact back when the state cannot have it',
    'audit.content': 'has a line for every call, refused ones too, without contents, and no tool writes it',
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
