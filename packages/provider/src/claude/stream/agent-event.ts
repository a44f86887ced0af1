import type { LiveTurn } from '../../stream/live-turn.js';

/** What happens inside a turn: all but its beginning and its end. */
export type AgentEvent = Parameters<LiveTurn['emit']>[0];
