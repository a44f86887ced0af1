export { createChildBook } from './children.js';
export type { Host, HostError, Reply, StartCall, StartedRun, WorkShare } from './contract.js';
export { diagnosed, engineError, refusalError, refuse } from './errors.js';
export type { EvalStart, KeptRequest, TakePlan } from './eval/contract.js';
export { evalRuns } from './eval/eval-kind.js';
export { findTake, type RecordedTake, readTakes } from './eval/read-takes.js';
export { headCommit, headVersion } from './head-commit.js';
export { createHost, type Handing, type HandingShare } from './host.js';
export {
  findSources,
  type KeptFile,
  keepSources,
  openKeptFiles,
  type RunSources,
  readSources,
} from './kept-sources.js';
export type { Ground, KindAtWork, RunKind, RunVersions } from './kind.js';
export { lazyKind } from './lazy.js';
export { createLive, type Live } from './live.js';
export type { LiveEvent } from './live-event.js';
export { openLogins } from './logins.js';
export { newerLayout, newerRun } from './newer-layout.js';
export type { OpenRun } from './open-run.js';
export { mailboxOf } from './people/mailbox.js';
export { type IssuedToken, openPeople, type People } from './people/people.js';
export { isPersonRole, PERSON_ROLES, type Person, type PersonRole, rolesOf } from './people/person.js';
export { perRunKind } from './per-run.js';
export type { Moving, Opening, PauseFacts, PerRunKind, Telling } from './per-run-kind.js';
export { limitText } from './quota/describe.js';
export { QUOTA_LIMITS, type QuotaLimitName } from './quota/limits.js';
export { openQuotas, type Quotas } from './quota/quotas.js';
export { type LimitUse, leftOf } from './quota/reserve.js';
export { openRunDoor } from './quota/run-door.js';
export { settleQuotas } from './quota/settle.js';
export { readReport } from './read-report.js';
export { misfit, replyWord } from './reply.js';
export type { KindView, RunReport } from './report.js';
export {
  NOTES,
  type NotedCall,
  type RunNote,
  readRunNote,
  removeRunNote,
  runOfNote,
  UNOPENED_NOTE,
  writeRunNote,
} from './run-note.js';
export { runOf } from './run-of.js';
export { keepSchedules, type ScheduleKeeper } from './schedule/keep-schedules.js';
export type { Schedule, ScheduledCall } from './schedule/schedule.js';
export { openSchedules, type Schedules } from './schedule/schedules.js';
export { MISSED_RULES, nextTime } from './schedule/times.js';
export type { KeptSources, SourcesPlace } from './sources-place.js';
export { raiseForms } from './standing-waits.js';
export { talkBlocks } from './talk/blocks.js';
export { conversationCommand } from './talk/command.js';
export type { Talk, TalkKind } from './talk/contract.js';
export { replayTalkMachine } from './talk/machine.js';
export { talkKind } from './talk/talk-kind.js';
export {
  decideUpdate,
  findUpdate,
  listUpdate,
  placeOf,
  type RunUpdate,
  type RunUpdated,
} from './update/run-update.js';
export { createVault, openVault, type VariableVault } from './vault.js';
export { openRunVoices, type RunVoices } from './voices.js';
export { byAge, type FileChange, NO_ANSWER, type Wait, type WaitFor, waitsForLabel } from './wait.js';
export {
  isStranger,
  type ProjectWebhook,
  WEBHOOK_ANSWERS,
  type WebhookAct,
} from './webhook/webhook.js';
export { openWebhooks, type ToldWebhook, type Webhooks } from './webhook/webhooks.js';
export type { Word } from './word.js';
