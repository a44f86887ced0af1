export { agentObjects, type CredentialSource } from './access/agent-objects.js';
export {
  type Credential,
  DEFAULT_LIFETIME_MS,
  type Issuer,
  termProblem,
  tokenIssuer,
} from './access/credential.js';
export { sessionPolicy } from './access/policy.js';
export type { Upload } from './access/presign.js';
export { type AskedAccess, type CredentialScope, isAllowed } from './access/scope.js';
export { type AccessError, type Purpose, purposeOf, scopeOf } from './access/scope-of.js';
export { stsIssuer } from './access/sts.js';
export { verifyToken } from './access/token.js';
export {
  type AdmissionError,
  type Challenge,
  newChallenge,
  provesKey,
  signChallenge,
} from './admission/challenge.js';
export { basePrompt, basePromptPieces } from './card/base-prompt.js';
export { type CardError, prepareCard, readDraft } from './card/card.js';
export { type Catalogue, EMPTY_CATALOGUE } from './card/catalogue.js';
export { loadCards } from './card/files.js';
export { codePoints } from './card/points.js';
export {
  type CardReview,
  decideReview,
  type ReviewCommand,
  type ReviewError,
  requireApproved,
} from './card/review.js';
export { type Card, type CardDraft, type CardDraftInput, cardDraftSchema } from './card/schema.js';
export { promptView, viewPieces } from './card/view.js';
export { textOfCard, wordsOfCard } from './card/words.js';
export { printTime } from './cert/cert.js';
export { certify } from './cert/certify.js';
export { verifyObject } from './cert/verify.js';
export { chooseAction } from './feedback/choose.js';
export {
  ACTIONS,
  type Action,
  EMPTY_MEMORY,
  type Feedback,
  fade,
  type Learned,
  learn,
  NEUTRAL,
  type Weights,
} from './feedback/weights.js';
export { HEARTBEAT_LIMIT, printHeartbeat, type ReadHeartbeat, readHeartbeat } from './fleet/heartbeat.js';
export { ID, isId, KEYS, TARGETS } from './ids.js';
export { canonicalBytes, readJson } from './json/read.js';
export type { JsonProblem } from './json/scan.js';
export { createKey, type KeySigner, keyIdOf, keySigner, publicKeyOf, type SignerKeys } from './key/key.js';
export { createSealedKeys, type KeyPlace, openSealedKey, type SealedKeyError } from './key/sealed-key.js';
export { readCheckpoint } from './log/checkpoint.js';
export { type LogError, openLog } from './log/log.js';
export { isObjectKey, type ObjectError, type Objects } from './objects/contract.js';
export { folderObjects } from './objects/folder.js';
export { keysBelow, listBelow } from './objects/keys-below.js';
export { isObjects, openObjects } from './objects/open.js';
export { type S3Keys, s3Objects } from './objects/s3.js';
export { serveObjects } from './objects/serve.js';
export { dayIn, isTimeZone } from './place/day.js';
export {
  certifyPlace,
  type MeetingPlace,
  type PlaceInput,
  placeKey,
  placeSchema,
  proposedSchema,
  REJECTIONS,
  type Rejection,
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
  feedbackObject,
  readCard,
  readFeedback,
  readPlaces,
} from './place/told.js';
export { certifyTopicState, RECENT_MESSAGES, readTopicState, type TopicState } from './place/topic-state.js';
export { isVisible } from './place/visible.js';
export { CONTEXT_HEADER, composeScenario } from './scenario/compose.js';
export { correctionBlock } from './scenario/correction.js';
export { isScenarioName, loadScenario, readScenario, SCENARIO_FOLDER } from './scenario/files.js';
export { scenarioProblems, versionProblems } from './scenario/fit.js';
export { type RankedGroup, rankGroups } from './scenario/groups.js';
export { findsImpersonation } from './scenario/impersonation.js';
export { SCENARIOS, SHIPPED_VERSIONS } from './scenario/library/library.js';
export { checkOutput, type Output, type OutputError } from './scenario/output.js';
export { callParams, paramSources } from './scenario/params.js';
export { type Scenario, scenarioSchema } from './scenario/scenario.js';
export { type FillError, filledText, fillTemplate } from './scenario/template.js';
export type { Accepted } from './trust/accept.js';
export { templateBytes } from './trust/bundle.js';
export type { TrustError } from './trust/error.js';
export { type UpdatePoint, updateTrust } from './trust/keep.js';
export { readLibrary, readOwnLibrary } from './trust/library.js';
export { type RoleKeys, rootMetadata, type SignedMetadata, targetsMetadata } from './trust/metadata.js';
export type { FailureNote } from './trust/notes.js';
export { libraryMetadata, type Publication, publishAgents, reviewMetadata } from './trust/publish.js';
export { type Renewal, type RenewalDepth, readStored, renewAgents } from './trust/renew.js';
export {
  assembleRequest,
  bodyOf,
  printRequest,
  printSignature,
  type RequestError,
  type RequestSignature,
  readRequest,
  readSignature,
  type SigningRequest,
  signRequest,
} from './trust/request.js';
export { addSignature, type CheckedReview, checkReview, joinSignatures, reviewRole } from './trust/review.js';
export { readState, type TrustStateError } from './trust/state.js';
export { endOf, knownOf, type StoredSet } from './trust/stored-set.js';
export { syncTrust, type TrustAnchor, verifyState } from './trust/sync.js';
export { proofBytes, verifyVersion } from './trust/version.js';
export { DEFAULT_LIFETIMES, type Lifetimes, type PublishError, type PublishingDesk } from './trust/write.js';
