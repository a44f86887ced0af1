import { listApprovals } from '../approval/listing.js';
import type { Machine } from '../machine.js';
import { DEFAULT_LANE } from './advance.js';
import type { AgentCommand, AgentConfig, AgentEvent, AgentState } from './agent.js';
import { decideAgent } from './decide.js';
import { NEW_AGENT, projectAgent } from './project.js';

/** One conversation with a model as a machine of the engine: its effects are `model.turn` and `tool.call`. */
export const createAgentMachine = (config: AgentConfig): Machine<AgentState, AgentCommand, AgentEvent> => ({
  kind: 'agent',
  initial: NEW_AGENT,
  decide: (state, command, context) => decideAgent(state, command, config, context),
  project: projectAgent,
  list: (run, event) => listApprovals({ run, lane: config.lane ?? DEFAULT_LANE }, event),
});
