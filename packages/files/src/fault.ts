/**
 * The named moments of an operation. Tests hand in a callback that stops, kills or fails the process there;
 * no setting, variable or input can. A callback that throws makes the operation fail at that point.
 */
export type FaultPoint =
  /** The path was walked; nothing was opened yet. */
  | 'located'
  /** The temporary file exists and is empty. */
  | 'temporary-created'
  /** A part of the bytes is written. Only for data of more than one chunk. */
  | 'partly-written'
  | 'written'
  /** The bytes are on the disk under the temporary name. */
  | 'synced'
  /** The precondition was checked for the last time; the content takes its name next. */
  | 'checked'
  /** The new content stands under its name. */
  | 'renamed'
  /** The new name is on the disk. */
  | 'directory-synced';

export type Fault = (point: FaultPoint) => void | Promise<void>;

export const noFault: Fault = () => undefined;
