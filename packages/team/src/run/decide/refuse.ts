import type { DecideContext } from '@cuebook/engine';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { findNode } from '../../graph/reference.js';
import type { TeamCommand } from '../command.js';
import type { TeamConfig } from '../config.js';
import type { AnyTeamEvent } from '../event.js';
import { type NodeState, nodesOf, type TeamState } from '../state.js';

/** The events of a command, and what its sender is told. */
export interface DecidedCommand {
  readonly events: readonly AnyTeamEvent[];
  readonly answer?: JsonValue;
}

/** Why a command writes nothing. */
export interface RefusedCommand {
  readonly code: string;
  readonly message: string;
}

/** What a decision looks at beside the state and the command. */
export interface TeamDecideParts {
  readonly config: TeamConfig;
  readonly context: DecideContext;
}

/** One kind of command. */
export type Own<Type extends TeamCommand['type']> = Extract<TeamCommand, { readonly type: Type }>;

/** What a command comes to. */
export type CommandAnswer = Result<DecidedCommand, RefusedCommand>;

/** A refusal as a value. */
export const refuse = (code: string, message: string): Result<never, RefusedCommand> =>
  fail({ code, message });

/** Events as a value. */
export const accept = (events: readonly AnyTeamEvent[], answer?: JsonValue): CommandAnswer =>
  ok(answer === undefined ? { events } : { events, answer });

/** The node that a person names, by id or alias. */
export function requireNode(state: TeamState, reference: string): Result<NodeState, RefusedCommand> {
  const found = findNode(
    nodesOf(state).map(({ node }) => node),
    reference,
  );
  const node = found && state.nodes[found.id];
  return node
    ? ok(node)
    : refuse('E_TEAM_NODE', `There is no node ${JSON.stringify(reference.slice(0, 80))} in this run.`);
}

/** Names of people are short lines. */
export const person = (by: string): string =>
  by.replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed() || 'unknown';
