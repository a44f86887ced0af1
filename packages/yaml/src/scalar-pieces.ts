import type { Labels, Piece, Place } from '@cuebook/prompt';
import type { Scalar } from 'yaml';
import { scalarRuns } from './scalar-runs.js';

/** A text scalar as labelled pieces, each on one line of the source and at its place there. */
export function scalarPieces(
  node: Scalar,
  source: string,
  at: (offset: number) => Place,
  labels: Labels,
): readonly Piece[] {
  const text = String(node.value);
  if (text === '') return [];
  const runs = scalarRuns(node, source);
  if (runs === undefined)
    return [{ text, origin: { kind: 'value', ...at(node.range?.[0] ?? 0) }, ...labels }];
  return runs.map((run) => ({
    text: run.text,
    origin: { kind: run.verbatim ? 'file' : 'value', ...at(run.at) },
    ...labels,
  }));
}
