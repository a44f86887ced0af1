export { ARCHIVE_CODES, FILES_CODES } from './codes.js';
export {
  type Change,
  DEFAULT_READ_LIMIT,
  type DiskUse,
  type FileStat,
  type Files,
  type NewFile,
  type OnChange,
  type Precondition,
  type ReadOptions,
  type SweepOptions,
  type TextDocument,
  type Watcher,
  type WatchOptions,
  type WriteOptions,
  type Written,
} from './contract.js';
export type { MountSpec } from './disk/mount.js';
export { copyPrivately, isMeantToBeWritten, type PrivateCopy } from './disk/private-copy.js';
export type { SearchFound, SearchMatch, SearchQuery } from './disk/search.js';
export { describeFileError, type FileError, type FileKind, type ViolationReason } from './error.js';
export type { Fault, FaultPoint } from './fault.js';
export { type FolderOptions, type OpenOptions, openFolder, openMounts } from './files.js';
export type { InsideLimits } from './inside/budget.js';
export { type Inside, lookInside, Unreadable, type UnreadableReason } from './inside/inside.js';
export { isLocked, type LockOptions, withLock } from './lock/lock.js';
export { livingState, ownMark, type ProcessMark, readMark } from './lock/process-mark.js';
export { type LineLog, openLineLog } from './log/line-log.js';
export type { FileResult } from './result.js';
export { readShipped } from './shipped.js';
export { memorySource } from './source/memory.js';
export {
  DEFAULT_IGNORE,
  type Entry,
  type Listing,
  type ListOptions,
  type TextSource,
  type WalkOptions,
} from './source/source.js';
export { walkSource } from './source/walk.js';
export {
  type ArchiveError,
  type ArchiveReason,
  type ArchiveResult,
  describeArchiveError,
  type ZipLimits,
  zipSource,
} from './source/zip.js';
export { kindByName } from './withhold/names.js';
export type { WithholdRules } from './withhold/withhold.js';
