import type { Piece } from '@cuebook/prompt';
import { type ToolHolder, toolsOf } from '../call/tools.js';
import { TEXTS } from '../shipped-texts.js';
import { between } from './say.js';

/** The first layer: what every agent of every run is told, the same until the next release. */
export function contractPieces(holder: ToolHolder): readonly Piece[] {
  const key = JSON.stringify(holder);
  const known = MADE.get(key) ?? makePieces(holder);
  MADE.set(key, known);
  return known;
}

/** One for each kind of holder, of which there are eight. */
const MADE = new Map<string, readonly Piece[]>();

function makePieces(holder: ToolHolder): readonly Piece[] {
  const tools = toolsOf(holder).flatMap((name, index): readonly Piece[] => [
    ...(index === 0 ? [] : [between('\n')]),
    TEXTS.piece(`tools.md#${name}.shape`),
    between('\n  '),
    TEXTS.piece(`tools.md#${name}`),
  ]);
  const files = TEXTS.piece(`contract.md#files.${holder.nativeTools ? 'native' : 'calls'}`);
  return TEXTS.fill('contract.md#contract', { files, tools });
}
