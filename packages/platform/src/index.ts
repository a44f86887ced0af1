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
export { countDay } from './experiment/count-day.js';
export { decideRollout, type RolloutPlan } from './experiment/rollout.js';
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
export { DEFAULT_PLAN, type RolloutStep, stepRollout } from './rollout.js';
export { tellTopicState } from './topic-state.js';
export {
  type CardRecord,
  verifyPublished,
  viewCard,
  viewPublished,
  viewScenarios,
  viewVersions,
} from './views.js';
