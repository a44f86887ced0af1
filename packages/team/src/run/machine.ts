import type { Machine } from '@cuebook/engine';
import type { TeamCommand } from './command.js';
import type { TeamConfig } from './config.js';
import { decideTeam } from './decide.js';
import type { TeamEvent } from './event.js';
import { TEAM_EVENTS } from './event-types.js';
import { projectTeam } from './project.js';
import { NEW_TEAM, type TeamState } from './state.js';

/**
 * A team run as the engine drives it. Effects are data: `node.turn`, `tool.call`, `diff.take`, `diff.set-aside` and
 * `verify.run`. Whatever a person must settle is in the state and survives a restart.
 */
export const createTeamMachine = (config: TeamConfig): Machine<TeamState, TeamCommand, TeamEvent> => ({
  kind: 'team',
  initial: NEW_TEAM,
  events: TEAM_EVENTS,
  decide: (state, command, context) => decideTeam(state, command, config, context),
  project: projectTeam,
});
