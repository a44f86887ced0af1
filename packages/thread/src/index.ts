export {
  composeAsRun,
  isDefinition,
  openLive,
  runComposer,
  type ThreadComposer,
} from './compose-as-run.js';
export { threadRecord, threadRuns, threadRunsAnswered, threadRunsOf } from './kind/thread-kind.js';
export { threadKind } from './kind/work-kind.js';
export { createThreadMachine, NO_CATALOG } from './machine.js';
export type { ThreadCall } from './run/command.js';
export type { MessageCall } from './run/message.js';
export { subpromptText } from './run/result-text.js';
export { ROOT as ROOT_THREAD, type ThreadRunState } from './run/state.js';
export { threadStatus } from './run/status.js';
export { openRunProject, type RunProject } from './run-project.js';
export { openThreads } from './threads.js';
export { readTrace } from './trace.js';
