import type { Piece } from '@cuebook/prompt';
import { TEXTS } from '../shipped-texts.js';

/** The first layer. It names no block and no field: those are told where they stand. */
export function rulesPieces(mode: 'workflow' | 'conversation'): readonly Piece[] {
  const known = MADE.get(mode) ?? makePieces(mode);
  MADE.set(mode, known);
  return known;
}

const MADE = new Map<string, readonly Piece[]>();

const makePieces = (mode: string): readonly Piece[] =>
  TEXTS.fill(`rules.md#${mode}`, {
    paths: TEXTS.piece('rules.md#paths'),
    work: TEXTS.piece('rules.md#work'),
  });
