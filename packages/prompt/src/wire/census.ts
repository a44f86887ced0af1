import type { Origin } from '../origin.js';
import type { WireDocument } from './wire-document.js';

/**
 * How well a byte answers for itself:
 * - `exact`    a place of a file, to the byte
 * - `start`    the place where a value begins that the byte is part of
 * - `corner`   the beginning of a file, because no more is known
 * - `turn`     a turn and a call on record
 * - `event`    the event of a run that holds what was handed in, or last changed a fact of the run
 * - `input`    what somebody handed in, by its name
 * - `shipped`  text that comes with Cuebook, without a line
 * - `structure` the format, by the rule that wrote it
 * - `name`     a name and nothing to open
 */
export const CENSUS_CLASSES = [
  'exact',
  'start',
  'corner',
  'turn',
  'event',
  'input',
  'shipped',
  'structure',
  'name',
] as const;
export type CensusClass = (typeof CENSUS_CLASSES)[number];

/** Bytes by how well they answer. */
export type Census = Readonly<Record<CensusClass, number>>;

/** Counts the bytes of bodies. */
export function censusOf(documents: Iterable<Pick<WireDocument, 'spans'>>): Census {
  const counts = Object.fromEntries(CENSUS_CLASSES.map((name) => [name, 0])) as Record<CensusClass, number>;
  for (const { spans } of documents) {
    for (const { start, end, origin } of spans) counts[classOf(origin)] += end - start;
  }
  return counts;
}

/** `RUN@3`, `RUN@3#CALL` */
const TURN = /^\w+@\d+(?:#\S+)?$/;
/** `RUN#12` */
const EVENT = /^\w+#\d+$/;

export function classOf({ kind, ref, line, column, via }: Origin): CensusClass {
  if (kind === 'structure') return 'structure';
  if (kind === 'redaction' && line === undefined) {
    if (via?.some((place) => place.line !== undefined)) return 'start';
    if (via?.some((place) => EVENT.test(place.ref))) return 'event';
    return via?.some((place) => TURN.test(place.ref)) ? 'turn' : 'name';
  }
  if (kind === 'result' && TURN.test(ref)) return 'turn';
  if (EVENT.test(ref)) return 'event';
  if (line !== undefined) {
    if (kind === 'file' || kind === 'shipped') return 'exact';
    return line === 1 && (column ?? 1) === 1 ? 'corner' : 'start';
  }
  if (kind === 'shipped') return 'shipped';
  if (/@\d+(#|$)/.test(ref)) return 'turn';
  return kind === 'input' || kind === 'variable' ? 'input' : 'name';
}
