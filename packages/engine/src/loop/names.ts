import { createHash } from 'node:crypto';
import type { CommandShape } from '../machine.js';

/** Ids of commands that begin with this are the engine's own. */
export const OWN_COMMANDS = 'engine:';

/** The id of the one command that settles an effect: whoever knows its outcome gives this one. */
export const settleCommand = (effect: string, seq: number) => `${OWN_COMMANDS}settle:${seq}:${short(effect)}`;

export const fireCommand = (timer: string, seq: number) => `${OWN_COMMANDS}fire:${seq}:${short(timer)}`;

/** The token is a part of it: the mark of one holder is never taken for the mark of another. */
export const beginCommand = (effect: string, mark: { seq: number; attempt: number; token: number }) =>
  `${OWN_COMMANDS}begin:${mark.seq}:${mark.attempt}:${mark.token}:${short(effect)}`;

/** A person may be asked more than once about an effect: after each try. */
export const askCommand = (effect: string, seq: number, attempt: number) =>
  `${OWN_COMMANDS}ask:${seq}:${attempt}:${short(effect)}`;

/** The scope of the lease of a lane. */
export const laneScope = (run: string, lane: string) => `engine/lane/${run}/${short(lane)}`;

/** What a command says, whatever the order of its keys: a repeat says the same. */
export function targetOf({ id: _, ...command }: CommandShape & { readonly id: string }): string {
  return digest(JSON.stringify(sorted(command)));
}

/** A text as it is, or its digest where it is too long for a name. */
const short = (text: string) => (Buffer.byteLength(text) <= LONGEST_NAME ? text : digest(text));

const digest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

const LONGEST_NAME = 200;
