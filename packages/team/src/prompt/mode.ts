import type { Piece } from '@cuebook/prompt';
import type { GlobalMode } from '../capability/authorize.js';
import { shipped } from './say.js';

/** The third layer: what the mode of the run allows. */
export const modePieces = (mode: GlobalMode): readonly Piece[] => [
  shipped(MODE_TEXTS[mode], `team/mode/${mode}`, 'session'),
];

const MODE_TEXTS: Readonly<Record<GlobalMode, string>> = {
  PLANNING: `Mode: PLANNING.
The repository is read-only for you.
You may write only in the docs directory.
When the work needs a change of code, describe it and ask for Implementation mode; do not work around this.`,
  IMPLEMENTATION: `Mode: IMPLEMENTATION.
Code edits are allowed, as far as your capabilities go.
Docs updates are allowed: keep them true to the code.
Use tests or verification commands where they can show that the work is right, and report what they said.`,
};
