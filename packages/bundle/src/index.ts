export { agentObjects, type Connection, sendUpload } from './access/agent-objects.js';
export {
  type Credential,
  DEFAULT_LIFETIME_MS,
  type Issuer,
  MAX_LIFETIME_MS,
  openCredential,
  tokenIssuer,
} from './access/credential.js';
export {
  type AdmittedSession,
  type ConnectionError,
  connectPlatform,
  type PlatformConnection,
  type PlatformPlace,
} from './access/platform-connection.js';
export { type BucketPlace, MAX_POLICY, sessionPolicy } from './access/policy.js';
export type { Upload } from './access/presign.js';
export { type Asked, isAllowed, type Right, type Rule, type Scope } from './access/scope.js';
export { type AccessError, type Member, type Purpose, purposeOf, scopeOf } from './access/scope-of.js';
export { type StsOptions, stsIssuer } from './access/sts.js';
export { signToken, type TokenClaims, verifyToken } from './access/token.js';
export type { Admission, Proof } from './admission/admission.js';
export {
  type AdmissionError,
  type Challenge,
  type ChallengePurpose,
  challengeSchema,
  newChallenge,
  provesKey,
  signChallenge,
} from './admission/challenge.js';
export { basePrompt } from './card/base-prompt.js';
export { type CardError, type CardProblem, type PreparedCard, prepareCard, readDraft } from './card/card.js';
export { type Catalogue, EMPTY_CATALOGUE, isCatalogueCard } from './card/catalogue.js';
export { type CardFile, type CardFiles, loadCards } from './card/files.js';
export { codePoints } from './card/points.js';
export {
  type CardReview,
  decideReview,
  type ReviewCommand,
  type ReviewError,
  requireApproved,
} from './card/review.js';
export {
  type Card,
  type CardDraft,
  type CardDraftInput,
  cardDraftSchema,
  cardSchema,
  type Persona,
} from './card/schema.js';
export {
  DEFAULT_VIEW_LIMIT,
  parseView,
  printView,
  promptView,
  type ViewError,
  type ViewFields,
} from './card/view.js';
export type { Binding, Cert } from './cert/cert.js';
export { type CertifyOptions, certify } from './cert/certify.js';
export { type CertError, type Verified, type VerifyOptions, verifyObject } from './cert/verify.js';
export { BUNDLE_CODES } from './codes.js';
// the agent's own side
export { type DayOptions, liveDay } from './day/day.js';
export type { Happening } from './day/happening.js';
export { type DayNote, lineOf } from './day/notes.js';
export type { AgentDay, DayReport } from './day/report.js';
export { SAMPLE_CARDS, sampleHappenings } from './day/sample.js';
export { SAMPLE_SCRIPT } from './resident/sample-script.js';
export type { TownError } from './day/town.js';
// experiments
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
export { actionChances, type Choice, chooseAction } from './feedback/choose.js';
// feedback
export { type FeedbackError, type GivenFeedback, giveFeedback } from './feedback/give.js';
export {
  ACTIONS,
  type Action,
  EMPTY_MEMORY,
  type Feedback,
  fade,
  learn,
  type Memory,
  type MemoryNote,
  NEUTRAL,
  WEIGHT_BOUNDS,
  type Weights,
} from './feedback/weights.js';
export { isId, KEYS, shardOf } from './ids.js';
export { canonicalBytes, type ReadLimits, readCanonical, readJson } from './json/read.js';
export type { JsonProblem } from './json/scan.js';
export {
  createKey,
  type KeyRing,
  type KeySigner,
  keySigner,
  type PublicKey,
  publicKeyOf,
} from './key/key.js';
export { createSealedKeys, type KeyPlace, openSealedKey, type SealedKeyError } from './key/sealed-key.js';
export { type Checkpoint, readCheckpoint, signCheckpoint } from './log/checkpoint.js';
export { checkLog, type LogCheck, type LogError, type LogWriter, openLog } from './log/log.js';
export {
  consistencyProof,
  type HashAt,
  inclusionProof,
  leafHash,
  provesConsistency,
  provesInclusion,
  type TreeHead,
} from './log/merkle.js';
export { tileHashes } from './log/tiles.js';
export {
  isObjectKey,
  isObjectPrefix,
  type KeyPage,
  type ListKeys,
  type ObjectError,
  type Objects,
  type PutOptions,
} from './objects/contract.js';
export { folderObjects } from './objects/folder.js';
export { type HttpPlace, httpObjects } from './objects/http.js';
export { type S3Keys, type S3Place, s3Objects } from './objects/s3.js';
export { type ServeOptions, serveObjects } from './objects/serve.js';
export { dayIn, isTimeZone } from './place/day.js';
export {
  type Circle,
  certifyPlace,
  type ManifestOptions,
  type Place,
  type PlaceInput,
  placeKey,
  placeSchema,
  readPlace,
  type Task,
  type Topic,
} from './place/manifest.js';
export { isVisible, type Viewer } from './place/visible.js';
export { type AuditEntry, readAudit } from './platform/audit.js';
export {
  approveCard,
  type CardsError,
  findAgent,
  listAgents,
  rejectCard,
  saveCard,
} from './platform/cards.js';
export type { OfflineTrust, PlatformParts } from './platform/desk.js';
export {
  beginAdmission,
  beginSession,
  findChallenge,
  finishAdmission,
  keyOf,
  revokeAdmission,
  type Session,
  sessionChallenge,
} from './platform/entry/admit.js';
export { type CredentialError, issueCredential, issueUpload } from './platform/entry/credentials.js';
export {
  type Caller,
  type Job,
  ROLES,
  type Role,
  type RoleError,
  requireJob,
} from './platform/entry/role.js';
export { authenticate, issueToken, listTokens, revokeToken } from './platform/entry/tokens.js';
export {
  composeEvent,
  type EventRecord,
  findEvent,
  keepEvent,
  listEvents,
  type PublicEvent,
  weekOf,
} from './platform/events.js';
export {
  compareOutcomes,
  countOutcome,
  endExperiment,
  listExperiments,
  type RunningExperiment,
  setExperiment,
} from './platform/experiments.js';
export { ackFeed, noteWrite, readFeed, sweepHeartbeats, type WrittenObject } from './platform/feed.js';
export { recommendGroups, type SuitedGroup } from './platform/groups.js';
export type { PlatformConfig } from './platform/home/config.js';
export {
  type FoundError,
  type Founding,
  foundPlatform,
  publishOffline,
  type Rotation,
  rotateKeys,
} from './platform/home/found.js';
export { type HomeError, type OpenPlatform, openPlatform } from './platform/home/home.js';
export type { RecordError } from './platform/ledger.js';
export { type PagePost, type PlacePage, readPage } from './platform/pages.js';
export { findPlace, listPlaces, type PlaceRecord, putPlace, tellPlaces } from './platform/places.js';
export {
  acceptProposal,
  admitToTask,
  type ProposalError,
  type RequestPlace,
  rejectProposal,
} from './platform/proposals.js';
export {
  type PublishingError,
  type PublishReport,
  publishApproved,
  renewTimestamps,
} from './platform/publishing.js';
export { type AgentRecord, isPublicCard, type Published } from './platform/record.js';
export {
  DEFAULT_PLAN,
  type RolloutError,
  type RolloutRequest,
  type RolloutStep,
  stepRollout,
} from './platform/rollout.js';
export {
  type CardView,
  type ScenarioView,
  type Verification,
  verifyPublished,
  viewCard,
  viewScenarios,
} from './platform/views.js';
export { type ScenarioSource, scenarioProfile } from './profile.js';
// residents
export { AGENT_FILE, type AgentFile, readAgentFile } from './resident/agent-file.js';
export {
  type ComposedDeed,
  composeDeed,
  type DeedError,
  type DeedInput,
} from './resident/compose.js';
export { type Desk as ResidentDesk, type DeskOptions, openDesk } from './resident/desk.js';
export type { ResidentVoice } from './resident/drivers.js';
export type { Deed } from './resident/life/deed.js';
export { residentMachine } from './resident/life/machine.js';
export type {
  DeedDone,
  ResidentCommand,
  ResidentConfig,
  ResidentEvent,
  ResidentState,
  TrustFacts,
} from './resident/life/state.js';
export { matchScore } from './resident/look/match.js';
export { type Post, type ReadPost, readPost } from './resident/post.js';
export {
  createResident,
  createSync,
  RESIDENT_DEFAULTS,
  type ResidentOptions,
  residentRun,
} from './resident/resident.js';
export {
  certifyFeedback,
  certifyPlaces,
  type Places,
  readCard,
  readFeedback,
  readPlaces,
} from './resident/told.js';
export { CONTEXT_HEADER, composeScenario, type ScenarioInput, type Sourced } from './scenario/compose.js';
export { correctionBlock } from './scenario/correction.js';
export { type InterestGroup, type RankedGroup, rankGroups } from './scenario/groups.js';
export { findsImpersonation } from './scenario/impersonation.js';
export { SCENARIOS } from './scenario/library/library.js';
export {
  checkOutput,
  correctiveNote,
  type Output,
  type OutputContext,
  type OutputError,
} from './scenario/output.js';
export { callParams } from './scenario/params.js';
export type { ProposalPolicy } from './scenario/proposal.js';
export type { OutputContract, Placeholder, Preset, Scenario } from './scenario/scenario.js';
export type { Shape } from './scenario/shape.js';
export {
  type FillError,
  type Filled,
  type FillProblem,
  filledText,
  fillTemplate,
} from './scenario/template.js';
export { type Accepted, type AcceptInput, acceptSet, type Roles } from './trust/accept.js';
export { type Bundle, type BundleInput, buildBundle, bundleScenarios } from './trust/bundle.js';
export type { TrustError } from './trust/error.js';
export {
  type Kept,
  type UpdateOptions,
  type UpdatePoint,
  updateTrust,
  type VerificationFailure,
} from './trust/keep.js';
export {
  type DelegatedRole,
  type RoleKeys,
  type RootRoles,
  rootMetadata,
  type SignedMetadata,
  targetsMetadata,
} from './trust/metadata.js';
export {
  DEFAULT_LIFETIMES,
  type Desk,
  type Lifetimes,
  libraryMetadata,
  type Publication,
  type PublishError,
  publishAgents,
  renewTimestamp,
  reviewMetadata,
} from './trust/publish.js';
export { readState, type StateError, saveState, type TrustState } from './trust/state.js';
export { type Anchor, type Synced, type SyncOptions, syncTrust, verifyState } from './trust/sync.js';
