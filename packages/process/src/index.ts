export { type Child, type ChildExit, type ChildOptions, startChild } from './child.js';
export { type ChildFailure, describeFailure, hasRun } from './child-failure.js';
export {
  type ChildrenNote,
  endLeftChildren,
  nameProcess,
  noteOfThisProcess,
  watchChildren,
} from './children.js';
export { childEnvironment } from './environment.js';
export { runForeground } from './foreground.js';
export { type Fork, startFork } from './fork.js';
export { readProcesses } from './process-table.js';
export { runProgram } from './run-program.js';
