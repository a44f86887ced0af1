import { isProof, type ProjectKey, proofOf } from '../owner/project-key.js';

/** The proof of an event that was written without one; undefined: there is none. */
export type FindProof = (name: string, seq: number) => string | undefined;

/** Proves that who wrote an event of a register had the key of the project. */
export interface RegisterProof {
  of(text: string): string;
  isOf(text: string, proof: string): boolean;
  /** Of events that were written before proofs were needed. */
  readonly beside?: FindProof;
}

export const registerProof = (key: ProjectKey, beside?: FindProof): RegisterProof => ({
  of: (text) => proofOf(key, text),
  isOf: (text, proof) => isProof(key, text, proof),
  ...(beside && { beside }),
});
