/**
 * The named moments of the life of an effect. Tests hand in a callback that stops, kills or fails the process
 * there; no setting, variable or input can.
 */
export type EnginePoint =
  /** Intents are in the log; nobody was told to do them. */
  | 'intended'
  /** The mark is in the log; the driver has not begun. */
  | 'begun'
  /** The driver is done; its outcome is not in the log. */
  | 'performed'
  /** The outcome is in the log. */
  | 'settled';

export type EngineFault = (point: EnginePoint) => void | Promise<void>;
