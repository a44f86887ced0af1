import { randomUUID } from 'node:crypto';
import type { LiveView, RunEventView } from '@cuebook/api';
import type { Reply, RunReport, StartCall, Wait, Word } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';

/** Where a run is worked on, as a command sees it: the server of the project, or a host in this process. */
export interface Door {
  /** A turn goes on here when nobody follows it. */
  readonly goesOn: boolean;
  start(call: DoorStart): Promise<RunId>;
  submit(run: RunId, word: DoorWord): Promise<void>;
  /** Tells what happens in a run until it stands still, or the signal fires. */
  follow(run: RunId, following: RunFollowing): Promise<void>;
  /** How a run stands, and what it waits for. */
  report(run: RunId): Promise<RunReport>;
  /** Leaves. What a host in this process has under way goes on where somebody takes it up. */
  close(): Promise<void>;
}

/** What is started; who speaks, the flags of the call say. */
export type DoorStart = Pick<StartCall, 'id' | 'target' | 'input' | 'budget' | 'options'>;

/** The id of a command, from which that of the run follows. */
export const newCommandId = (): string => `cmd_${randomUUID()}`;

/** What a person says to a run. */
export type DoorWord =
  | Pick<Extract<Word, { type: 'say' }>, 'type' | 'text' | 'attachments'>
  | Pick<Extract<Word, { type: 'raise' }>, 'type' | 'to'>
  | { readonly type: 'answer'; readonly wait: string; readonly reply: Reply }
  /** `go-on`: what an earlier process left is taken up. */
  | { readonly type: 'resume' | 'interrupt' | 'stop' | 'go-on' };

export interface RunFollowing {
  /** The last event that is known. */
  readonly after: number;
  readonly signal?: AbortSignal;
  /** Live words of turns, each turn whole. Left out: nothing is told. */
  readonly show?: ((live: LiveView) => void) | undefined;
  /** Events of the record. */
  readonly event?: ((event: Pick<RunEventView, 'seq' | 'type' | 'data'>) => void) | undefined;
}

type Waits = readonly (Pick<Wait, 'for'> & { readonly evidence?: unknown })[];

/** Whether a run goes on only with somebody: it is over, waits, or cannot go on where it is. */
export const isStill = ({ status, waits }: Pick<RunReport, 'status'> & { readonly waits: Waits }): boolean =>
  (status !== 'running' && status !== 'new') || problemOf(waits) !== undefined;

/** Why a run cannot go on where it is; undefined: it goes on, or waits for somebody. */
export function problemOf(waits: Waits): string | undefined {
  const left = waits.find((each) => each.for === 'left');
  return (left?.evidence as { readonly problem?: string } | undefined)?.problem;
}
