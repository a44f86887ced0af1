export { acceptAnchor, exportAnchor, readAnchorText } from './anchor/carry.js';
export { attestRun } from './attest/attest-run.js';
export { type ExportOptions, exportRun } from './carry/export-run.js';
export { type ImportError, type Imported, type ImportOptions, importRun } from './carry/import-run.js';
export { type VerifyExportOptions, verifyExport } from './carry/verify-export.js';
export { JOURNAL_CODES, RECEIPT_CODES } from './codes.js';
export type {
  Adopted,
  Adoption,
  Append,
  Appended,
  AuditProblem,
  Fault,
  FaultPoint,
  Fence,
  Lease,
  NewEvent,
  ProjectionChange,
  ProjectionRecord,
  ReadOptions,
  RunId,
  RunSummary,
  RunTombstone,
  Store,
  StoredCommit,
  StoredEvent,
  SubscribeOptions,
  Vault,
} from './contract.js';
export { describeJournalError, type JournalError, JournalFailure, type UnavailableReason } from './error.js';
export {
  anchorFileOf,
  type OwnerOptions,
  openOwner,
  type Project,
  readProject,
  type StoreOwner,
} from './owner/project.js';
export type { JournalResult } from './result.js';
export { confidentialOfRun } from './retain/confidential.js';
export { type Erased, type EraseError, type EraseInput, eraseSealed } from './retain/erase-sealed.js';
export {
  type DeletionNote,
  deletionNote,
  type ForgetError,
  type ForgetInput,
  type Forgot,
  forgetContent,
} from './retain/forget.js';
export { confidentialTexts, createMasker, type Masker } from './retain/mask.js';
export { type Pruned, type PruneOptions, pruneRuns, type Retention } from './retain/prune.js';
export { findRun, type RunView, viewRun, viewRuns } from './retain/run-view.js';
export { SCHEMA_VERSION } from './schema/steps.js';
export { BOUNDS } from './store/bounds.js';
export {
  openStore,
  restoreStore,
  type StoreClock,
  type StoreOptions,
  type StorePlace,
} from './store/open.js';
export { openForVerify, type StoreToVerify } from './store/open-for-verify.js';
export { promptHash } from './turn/digest.js';
export type { ToolUse, TurnOutcome } from './turn/end.js';
export { describeTurnError, type ReceiptError, type TurnError } from './turn/error.js';
export { eventsOf, findTurn, type TurnEvents, turnOf } from './turn/find.js';
export { type KeyRecord, type KeyRing, readRing } from './turn/key/chain.js';
export { fingerprintOf, type PublicKeys, publicKeyOf, type Signer, signerOf } from './turn/key/key.js';
export { createSigner, type KeyError, readKeyFiles, readPublicKeys, trustKey } from './turn/key/key-files.js';
export { type Rotated, rotateKey } from './turn/key/rotate.js';
export type { RecordedRequest } from './turn/manifest/encode.js';
export { parseReceipt } from './turn/parse.js';
export {
  DELETED,
  type Forgotten,
  type RebuiltRequest,
  type RebuiltTurn,
  rebuildTurn,
} from './turn/rebuild.js';
export { isReceiptType, type Receipt, type ReceiptType } from './turn/receipt.js';
export {
  createRecorder,
  type EndInput,
  type ReceiptPlace,
  type Recorder,
  type RecorderOptions,
  type RecordInput,
  type Sending,
  type SentInput,
} from './turn/recorder.js';
export type { NamedAnchor } from './verify/anchor-check.js';
export type { ForgottenPart } from './verify/forgotten.js';
export type { VerifyCode, VerifyProblem } from './verify/problem.js';
export { type Projector, type Verification, type VerifyOptions, verifyRun } from './verify/verify-run.js';
export { type StoreVerification, type VerifyStoreOptions, verifyStore } from './verify/verify-store.js';
