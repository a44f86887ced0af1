export { THREAD_CODES } from './codes.js';
export type { ApprovalWord } from './drive/approve.js';
export type { Describe, ThreadLiveEvent } from './drive/parts.js';
export type { Said } from './drive/person.js';
export { hasPrice } from './drive/price.js';
export type { FindProvider, VoiceError } from './drive/voices.js';
export { createVault, openVault, type Vault } from './env/vault.js';
export { composeFirst, type First, type FirstInput } from './first.js';
export { threadRecord, threadRuns } from './kind/thread-kind.js';
export { threadKind } from './kind/work-kind.js';
export { createThreadMachine, NO_CATALOG } from './machine.js';
export type { ChildConfig } from './run/child-config.js';
export type { ThreadCall, ThreadCommand } from './run/command.js';
export type { ThreadConfig } from './run/config.js';
export type { EnvLayer, EnvValue } from './run/env-value.js';
export type { ThreadEvent } from './run/event.js';
export type { Frame, SessionOutcome } from './run/frame.js';
export { type Attachment, type Message, type MessageCall, type Side, shownReasoning } from './run/message.js';
export type { StepOutcome, ThreadDiagnostic } from './run/outcome.js';
export { subpromptText } from './run/result-text.js';
export { threadStanding } from './run/standing.js';
export { type Pause, ROOT as ROOT_THREAD, type ThreadRunState } from './run/state.js';
export { type DoubtfulCall, type ThreadStatus, threadStatus } from './run/status.js';
export { soloName, withSolo } from './solo.js';
export { type Telling, tellThread } from './tell.js';
export {
  openThreads,
  type ThreadError,
  type ThreadStart,
  type Threads,
  type ThreadsOptions,
} from './threads.js';
export { readTrace, type TraceLine, type TraceOptions } from './trace.js';
