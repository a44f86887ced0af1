export { agentObjects, type Connection, sendUpload } from './access/agent-objects.js';
export {
  type Credential,
  DEFAULT_LIFETIME_MS,
  type Issuer,
  MAX_LIFETIME_MS,
  openCredential,
  termProblem,
  tokenIssuer,
} from './access/credential.js';
export { type BucketPlace, MAX_POLICY, sessionPolicy } from './access/policy.js';
export type { Upload } from './access/presign.js';
export { type Asked, isAllowed, type Right, type Rule, type Scope } from './access/scope.js';
export { type AccessError, type Member, type Purpose, purposeOf, scopeOf } from './access/scope-of.js';
export { type StsOptions, stsIssuer } from './access/sts.js';
export { signToken, type TokenClaims, verifyToken } from './access/token.js';
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
export { type Binding, type Cert, printTime } from './cert/cert.js';
export { type CertifyOptions, certify } from './cert/certify.js';
export { type CertError, type Verified, type VerifyOptions, verifyObject } from './cert/verify.js';
export { BUNDLE_CODES } from './codes.js';
export { actionChances, type Choice, chooseAction } from './feedback/choose.js';
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
export { ID, isId, KEYS, shardOf } from './ids.js';
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
export { keysBelow } from './objects/keys-below.js';
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
  topicSchema,
} from './place/manifest.js';
export { actionOfKey, MESSAGE_IDS } from './place/message-ids.js';
export { clip, POST_LIMIT, type Post, type ReadPost, readPost } from './place/post.js';
export {
  certifyFeedback,
  certifyPlaces,
  type Places,
  readCard,
  readFeedback,
  readPlaces,
} from './place/told.js';
export { isVisible, type Viewer } from './place/visible.js';
export { type ScenarioSource, scenarioProfile } from './profile.js';
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
export { readReview } from './trust/review.js';
export { readState, type StateError, saveState, type TrustState } from './trust/state.js';
export { type Anchor, type Synced, type SyncOptions, syncTrust, verifyState } from './trust/sync.js';
