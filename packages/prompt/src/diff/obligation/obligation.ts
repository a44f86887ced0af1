/** `MUST` for what must be done, `NEVER` for what must not, `SHOULD` for advice. */
export type Force = 'MUST' | 'NEVER' | 'SHOULD';

/** Something that a prompt demands, forbids or advises. */
export interface Obligation {
  readonly force: Force;
  /** The sentence, white space folded. */
  readonly text: string;
}
