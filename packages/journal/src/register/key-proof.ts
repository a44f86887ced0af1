import { isProof, type ProjectKey, proofOf } from '../owner/project-key.js';

/** Proves that who wrote an event of a register had the key of the project. */
export interface RegisterProof {
  of(text: string): string;
  isOf(text: string, proof: string): boolean;
}

export const registerProof = (key: ProjectKey): RegisterProof => ({
  of: (text) => proofOf(key, text),
  isOf: (text, proof) => isProof(key, text, proof),
});
