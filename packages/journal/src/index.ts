export { acceptAnchor, exportAnchor, readAnchorText } from './anchor/carry.js';
export { attestRun } from './attest/attest-run.js';
export type { AttestedSource } from './attest/statement.js';
export { exportRun } from './carry/export-run.js';
export { type ImportError, importRun } from './carry/import-run.js';
export { verifyExport } from './carry/verify-export.js';
export type {
  Append,
  AppendBatch,
  Appended,
  Fence,
  Lease,
  NewEvent,
  ProjectionChange,
  ProjectionQuery,
  RunId,
  RunSummary,
  Store,
  StoredEvent,
  StoreFault,
  StoreFaultPoint,
  Vault,
} from './contract.js';
export { describeJournalError, type JournalError, JournalFailure } from './error.js';
export { knownKeys } from './owner/members.js';
export { anchorFileOf, openOwner, projectOfHome, readProject, type StoreOwner } from './owner/project.js';
export { type ProjectKey, printProjectKey } from './owner/project-key.js';
export { explainPostgres } from './postgres/explain.js';
export { keepFirst } from './register/keep-first.js';
export { openRegister, type RegisterStore } from './register/register.js';
export { isRegister, registerRun } from './register/register-run.js';
export { openRollingRegister, type RollingStore } from './register/rolling.js';
export { findRegister } from './register/volume.js';
export type { JournalResult } from './result.js';
export { confidentialOfRun } from './retain/confidential.js';
export { eraseSealed } from './retain/erase-sealed.js';
export { type DeletionNote, deletionNote, forgetContent, isJournalEvent } from './retain/forget.js';
export { confidentialTexts, createMasker, type Masker } from './retain/mask.js';
export { pruneRuns } from './retain/prune.js';
export { findRun, type RetainedRun, viewRun, viewRuns } from './retain/run-view.js';
export { BOUNDS } from './store/bounds.js';
export { loadPart } from './store/missing-part.js';
export { openStore, restoreStore, type StoreOptions, type StorePlace } from './store/open.js';
export { openForVerify, type StoreToVerify } from './store/open-for-verify.js';
export { timeOf } from './store/shared-clock.js';
export { promptHash } from './turn/digest.js';
export { describeTurnError, type ReceiptError } from './turn/error.js';
export { eventsOf, turnOf } from './turn/find.js';
export { readRing } from './turn/key/chain.js';
export { fingerprintOf, type PublicKeys, publicKeyOf, type Signer, signerOf } from './turn/key/key.js';
export { createSigner, type KeyError, readKeyFiles, readPublicKeys, trustKey } from './turn/key/key-files.js';
export { rotateKey } from './turn/key/rotate.js';
export { type LocatedTurn, locateTurn } from './turn/locate.js';
export type { FileStamps } from './turn/manifest/files.js';
export { parseReceipt } from './turn/parse.js';
export { type RebuiltRequest, type RebuiltTurn, rebuildTurn } from './turn/rebuild.js';
export { isReceiptType, type Receipt } from './turn/receipt.js';
export { createRecorder } from './turn/recorder.js';
export type { NamedAnchor } from './verify/anchor-check.js';
export type { ForgottenPart } from './verify/forgotten.js';
export type { VerifyProblem } from './verify/problem.js';
export { type RunVerification, verifyRun } from './verify/verify-run.js';
export { type StoreVerification, verifyStore } from './verify/verify-store.js';
