import type { Piece } from '@cuebook/prompt';
import type { GlobalMode } from '../capability/global-mode.js';
import { TEXTS } from '../shipped-texts.js';

/** The third layer: what the mode of the run allows. */
export const modePieces = (mode: GlobalMode): readonly Piece[] => [TEXTS.piece(`mode.md#${mode}`, 'session')];
