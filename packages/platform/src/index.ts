export type { Admission, Proof } from './admission/admission.js';
export { type AuditEntry, readAudit } from './audit.js';
export { approveCard, type CardsError, findAgent, listAgents, rejectCard, saveCard } from './cards.js';
export { PLATFORM_CODES } from './codes.js';
export type { OfflineTrust, PlatformParts } from './desk.js';
export {
  beginAdmission,
  beginSession,
  findChallenge,
  finishAdmission,
  keyOf,
  revokeAdmission,
  type Session,
  sessionChallenge,
} from './entry/admit.js';
export { type CredentialError, issueCredential, issueUpload } from './entry/credentials.js';
export { type Caller, type Job, ROLES, type Role, type RoleError, requireJob } from './entry/role.js';
export { authenticate, issueToken, listTokens, revokeToken } from './entry/tokens.js';
export {
  composeEvent,
  type EventRecord,
  findEvent,
  keepEvent,
  listEvents,
  type PublicEvent,
  weekOf,
} from './events.js';
export {
  type Arm,
  type Assigned,
  armOf,
  assignCohorts,
  type Experiment,
  type ExperimentError,
} from './experiment/cohort.js';
export {
  type ArmFacts,
  type Comparison,
  compareArms,
  type OutcomeMetric,
  type Tallies,
  tallyOutcomes,
} from './experiment/compare.js';
export { type CountError, type CountedDay, countDay } from './experiment/count-day.js';
export { differenceInterval, type Interval, meanInterval, type Tally } from './experiment/interval.js';
export { decideRollout, type Rollout, type RolloutDecision, type RolloutPlan } from './experiment/rollout.js';
export {
  compareOutcomes,
  countOutcome,
  endExperiment,
  listExperiments,
  type RunningExperiment,
  setExperiment,
} from './experiments.js';
export { ackFeed, noteWrite, readFeed, sweepHeartbeats, type WrittenObject } from './feed.js';
export { type FeedbackError, type GivenFeedback, giveFeedback } from './feedback/give.js';
export { recommendGroups, type SuitedGroup } from './groups.js';
export type { PlatformConfig } from './home/config.js';
export {
  type FoundError,
  type Founding,
  foundPlatform,
  publishOffline,
  type Rotation,
  rotateKeys,
} from './home/found.js';
export { type HomeError, type OpenPlatform, openPlatform } from './home/home.js';
export type { RecordError } from './ledger.js';
export { type PagePost, type PlacePage, readPage } from './pages.js';
export { findPlace, listPlaces, type PlaceRecord, putPlace, tellPlaces } from './places.js';
export {
  acceptProposal,
  admitToTask,
  type ProposalError,
  type RequestPlace,
  rejectProposal,
} from './proposals.js';
export { type PublishingError, type PublishReport, publishApproved, renewTimestamps } from './publishing.js';
export { type AgentRecord, isPublicCard, type Published } from './record.js';
export {
  DEFAULT_PLAN,
  type RolloutError,
  type RolloutRequest,
  type RolloutStep,
  stepRollout,
} from './rollout.js';
export {
  type CardView,
  type ScenarioView,
  type Verification,
  verifyPublished,
  viewCard,
  viewScenarios,
} from './views.js';
