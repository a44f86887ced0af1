import type { Piece, Place } from '@cuebook/prompt';

/** A piece that is there because of what stands at the places, outermost first. */
export const ledBy = (piece: Piece, via: readonly Place[]): Piece => ({
  ...piece,
  origin: { ...piece.origin, via: [...via, ...(piece.origin.via ?? [])] },
});
