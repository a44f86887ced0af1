import { clipWords } from '@cuebook/engine';
import type { Made, WorkReport } from '../graph/envelope.js';
import { artifactRef } from '../graph/material.js';
import type { NodeState, NodeWorkState, TeamState } from './state.js';

/** The changes of a turn that stay; undefined when there are none, or nobody could look. */
export function madeBy({ turn, diff, aside, flagged, unsure }: NodeWorkState): Made | undefined {
  const stays = flagged.length > 0 ? aside?.rest : diff;
  if (unsure !== null || !stays?.artifact) return undefined;
  const { artifact, files, lines } = stays;
  return { turn, ref: artifactRef(artifact), files: files.slice(0, MAX_FILES), ...(lines ? { lines } : {}) };
}

/** Whether a turn left changes in its folder, or nobody knows. */
export const leftChanges = ({ diff, flagged, unsure }: NodeWorkState): boolean =>
  unsure !== null || (diff?.files.length ?? 0) > flagged.length;

/** What a node has made with one turn more. */
export const addMade = (before: readonly Made[] = [], made: Made | undefined): readonly Made[] =>
  made === undefined ? before : [...before, made].slice(-MAX_MADE);

/** What a receiver is told of a node: all that it made since the receiver last heard of it. */
export function reportOf(
  { settings }: Pick<TeamState, 'settings'>,
  { made = [], reported = {}, verification, unchecked }: NodeState,
  receiver: string,
  work?: NodeWorkState,
): WorkReport | undefined {
  const known = Object.hasOwn(reported, receiver) ? (reported[receiver] ?? 0) : 0;
  const latest = work && madeBy(work);
  const diffs = addMade(made, latest).filter(({ turn }) => turn > known);
  const said = work?.verification;
  const failure = said === undefined ? verification : said;
  if (diffs.length === 0 && failure === null) return undefined;
  if (failure !== null) return { diffs, checks: 'failed', failure: clipWords(failure, MAX_FAILURE) };
  if (settings.verify.length === 0) return { diffs, checks: 'none' };
  const isOwed = said === undefined && (latest !== undefined || Boolean(unchecked));
  return { diffs, checks: isOwed ? 'owed' : 'passed' };
}

/** Files of one turn that are told by name; the patch has all. */
const MAX_FILES = 200;
/** Turns whose changes are remembered by reference. */
const MAX_MADE = 20;
/** Characters of a failed check that others are told. */
const MAX_FAILURE = 2_000;
