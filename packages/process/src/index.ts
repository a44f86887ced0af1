export { type Child, type ChildExit, type ChildOptions, startChild } from './child.js';
export { type ChildFailure, describeFailure, hasRun } from './child-failure.js';
export {
  type ChildrenNote,
  endLeftChildren,
  nameProcess,
  noteOfThisProcess,
  type ProcessName,
  watchChildren,
} from './children.js';
export { childEnvironment } from './environment.js';
export { runForeground } from './foreground.js';
export { type Fork, startFork } from './fork.js';
export type { ProcessRow } from './process-row.js';
export { readProcesses } from './process-table.js';
export { type ProgramCall, type ProgramEnd, runProgram } from './run-program.js';
