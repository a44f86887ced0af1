export { readAudit } from './audit.js';
export { approveCard, findAgent, listAgents, rejectCard, saveCard, signReview } from './cards.js';
export type { OfflineTrust, PlatformParts } from './desk.js';
export {
  beginAdmission,
  beginSession,
  findChallenge,
  finishAdmission,
  revokeAdmission,
  sessionChallenge,
} from './entry/admit.js';
export { issueCredential, issueUpload } from './entry/credentials.js';
export { type PlatformRole, ROLES, requireJob } from './entry/role.js';
export { authenticate, issueToken, listTokens, revokeToken } from './entry/tokens.js';
export { type EventRecord, eventValues, findEvent, keepEvent, listEvents, weekOf } from './events.js';
export { armOf, assignCohorts } from './experiment/cohort.js';
export { compareArms, type Tallies, tallyOutcomes } from './experiment/compare.js';
export { type ExperimentResult, viewResult } from './experiment/result.js';
export { decideRollout, type RolloutPlan } from './experiment/rollout.js';
export { settleDay, settleDays } from './experiment/settle-day.js';
export { compareOutcomes, endExperiment, listExperiments, setExperiment } from './experiments.js';
export { ackFeed, noteWrite, readFeed } from './feed.js';
export { giveFeedback } from './feedback/give.js';
export { type FleetMember, viewFleet } from './fleet.js';
export { explainedGroups, groupValues, keepGroups, recommendGroups, type SuitedGroup } from './groups.js';
export { type Expiry, type PlatformHealth, viewHealth } from './health.js';
export type { PlatformConfig } from './home/config.js';
export { foundPlatform, foundWith, publishOffline } from './home/found.js';
export { type HomeError, type OpenPlatform, openPlatform } from './home/home.js';
export { applyRequest, makeServerKey, rotateKeys } from './home/rotate.js';
export { JOBS, listJobs, setJob } from './jobs.js';
export { requestChange, tellChange } from './keys/change.js';
export { type KeyChange, rolesOf } from './keys/roles.js';
export { compareVersions, type VersionDiff } from './library/compare.js';
export { assignedVersion, findLibrary, offlineTrust, type TemplateLibrary } from './library/library.js';
export { pinVersion, retireVersion, rollBackVersion } from './library/pin.js';
export { decideVersion, proposeVersion, type TryCases, type VersionDecision } from './library/propose.js';
export { publishLibrary } from './library/publish.js';
export { type LibraryError, type TemplateRecord, versionName } from './library/record.js';
export {
  changesOf,
  joinLists,
  type LibraryChanges,
  type LibraryRequest,
  readLibraryFile,
  requestLibrary,
  requestSchema,
  signatureSchema,
  signLibrary,
} from './library/request.js';
export { readPage } from './pages.js';
export { findPlace, listPlaces, putPlace, tellPlaces } from './places.js';
export {
  acceptProposal,
  admitToTask,
  listProposals,
  rejectProposal,
} from './proposals.js';
export { publishApproved } from './publishing.js';
export { type AgentRecord, isPublicCard } from './record.js';
export { dueReviews } from './renewal/due.js';
export { type RenewalReport, renewPlatform } from './renewal/renew.js';
export { beginRollout, DEFAULT_PLAN, type RolloutStep, stepRollout } from './rollout.js';
export { tellTopicState } from './topic-state.js';
export {
  type CardRecord,
  type VersionView,
  verifyPublished,
  viewCard,
  viewPublished,
  viewScenarios,
  viewVersions,
} from './views.js';
