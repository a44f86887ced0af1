import { type Mutant, rows } from './rows.js';

/** The guards of `packages/process`. */
export const PROCESS_MUTANTS: readonly Mutant[] = [
  ...rows('packages/process', 'src/line-splitter.test.ts', {
    'process.line': 'refuses a line past the limit, at once and for good, and takes one that fills it',
  }),
  ...rows('packages/process', 'src/process-tree.test.ts', {
    'process.reused': 'leaves alone a process that was given the number of one that ended',
  }),
  ...rows('packages/process', 'src/child.test.ts', {
    'process.survivors': 'ends its descendants in sessions of their own',
    'process.behind': 'that has ended is read to its end by a reader that is behind: at its first line',
    'process.flood': 'does not go on with what a grandchild writes for ever',
    'process.closed': 'is ended when its output, or input that it needs, is closed and it runs on',
  }),
  ...rows('packages/process', 'src/environment.test.ts', {
    'process.environment': 'has what was allowed by name or beginning, and nothing else',
  }),
  ...rows('packages/process', 'src/run-program.test.ts', {
    'process.limit': 'normal exit: a session without an environment',
    'process.left': 'normal exit: a session of its own',
    'process.time': 'runs no longer than its time',
    'process.group': 'a chain that forks and ends without pause',
    'process.output': 'output past the limit is cut, and the program goes on',
  }),
];
