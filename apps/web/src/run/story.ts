import type { JsonValue } from '@cuebook/api';

/** A run as a person reads it, of any kind: made from its events alone, so that live and played back are the same. */
export interface Story {
  /** The last event that is in it; 0: none. */
  readonly seq: number;
  /** When the first and the last event happened, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly at: number;
  readonly goal: string | null;
  /** How the run stands, in one word. */
  readonly status: 'running' | 'paused' | 'completed' | 'failed' | 'stopped' | 'idle';
  readonly agents: readonly RunSpeaker[];
  readonly edges: readonly StoryEdge[];
  readonly items: readonly Item[];
  readonly tokens: number;
  readonly usd: number;
  /** A script speaks, not a model. */
  readonly rehearsal: boolean;
  /** The step that a workflow is at. */
  readonly step: string | null;
  /** The state of a workflow as a turn was told it. */
  readonly told: ToldState | null;
  /** The steps of a workflow: all of them where the record has its graph, else those that it has been at. */
  readonly steps: readonly StoryStep[];
}

/** Who speaks: a node of a team, a frame of a thread, a workflow. */
export interface RunSpeaker {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly parent: string | null;
  readonly status: 'idle' | 'running' | 'waiting' | 'held' | 'failed';
  readonly turns: number;
  readonly tokens: number;
  readonly usd: number;
  /** The last thing that it did, in a few words. */
  readonly last: string;
}

export interface StoryStep {
  readonly id: string;
  /** What kind of step it is; empty where the record does not say. */
  readonly type: string;
  /** How often the workflow came to it; 0: not yet. */
  readonly visits: number;
  /** Where it can go from here, as far as is known. */
  readonly next: readonly string[];
  /** Where it went from here. */
  readonly taken: readonly string[];
}

export interface StoryEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly isReport: boolean;
  /** The event of the last handoff that went along it; 0: none. */
  readonly usedAt: number;
}

interface Happened {
  readonly seq: number;
  readonly at: number;
}

/** Something in a conversation. `agent` is whose conversation it is in. */
export type Item = TurnItem | MessageItem | HandoffItem | NoteItem;

export interface TurnItem extends Happened {
  readonly kind: 'turn';
  /** The id of the turn: its prompt is found under it. */
  readonly id: string;
  readonly agent: string;
  readonly number: number;
  readonly cause: string | null;
  readonly prompt: 'full' | 'delta' | null;
  /** What it was told is on record, and can be looked at. */
  readonly isRecorded: boolean;
  readonly endedAt: number | null;
  /** Null while it runs. */
  readonly reason: string | null;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly StoryCall[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly diff: { readonly artifact: string | null; readonly files: readonly string[] } | null;
  /** Files that it changed against the rules, and that were set aside. */
  readonly flagged: readonly string[];
  readonly tokens: number;
  readonly usd: number;
}

export interface StoryCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue | undefined;
  readonly status:
    | 'open'
    | 'asked'
    | 'ok'
    | 'error'
    | 'refused'
    | 'denied'
    | 'expired'
    | 'stopped'
    | 'unknown';
  readonly output: string | null;
  /** Who decided about it, and what was said. */
  readonly decision: string | null;
}

export interface MessageItem extends Happened {
  readonly kind: 'message';
  readonly id: string;
  readonly agent: string;
  readonly by: string;
  readonly text: string;
}

export interface HandoffItem extends Happened {
  readonly kind: 'handoff';
  readonly id: string;
  readonly agent: string;
  readonly to: string;
  readonly text: string;
}

export interface NoteItem extends Happened {
  readonly kind: 'note';
  readonly id: string;
  /** Null: it is about the run. */
  readonly agent: string | null;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad' | 'wait';
}

/** Whether something belongs to the conversation of an agent. */
export const isOf = (item: Item, agent: string): boolean =>
  item.agent === agent || (item.kind === 'handoff' && item.to === agent);

/** What a state file held when a turn was composed. */
export interface ToldState {
  readonly turn: string;
  readonly state: JsonValue;
}
