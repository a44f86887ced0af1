import { type BlockInput, cutPieces, isBelow } from '@cuebook/prompt';
import { findObligations, type Obligation } from '@cuebook/prompt/diff';
import { rangesOf } from '../edit/apply.js';

/** An obligation at each of its places. */
export interface PlacedObligation extends Obligation {
  readonly file: string;
  readonly line: number;
}

/** The obligations of the system blocks that authors and operators wrote in files, in their order, each as often as it stands there. */
export function placedObligations(blocks: readonly BlockInput[]): readonly PlacedObligation[] {
  return blocks.flatMap((block) => (block.role === 'system' ? inBlock(block) : []));
}

function inBlock(block: BlockInput): readonly PlacedObligation[] {
  const words = block.pieces.map((piece) => (isBelow(piece.trust, 'operator') ? '\n' : piece.text)).join('');
  const [seen, starts] = [new Set<string>(), new Set<number>()];
  return findObligations(words).flatMap((obligation) => {
    if (seen.has(obligation.text)) return [];
    seen.add(obligation.text);
    return rangesOf(block, { kind: 'obligation', text: obligation.text }).flatMap(
      (range): PlacedObligation[] => {
        // A sentence that ends a little later stands at the same place.
        if (starts.has(range[0])) return [];
        starts.add(range[0]);
        const first = cutPieces(block.pieces, ...range).find(({ text }) => text.trim() !== '');
        const { kind, ref, line } = first?.origin ?? { kind: undefined, ref: '', line: undefined };
        const isPlaced = (kind === 'file' || kind === 'value') && line !== undefined;
        return isPlaced ? [{ ...obligation, file: ref, line }] : [];
      },
    );
  });
}
