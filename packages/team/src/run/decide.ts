import {
  type DecideContext,
  type Decision,
  type EngineCommand,
  follow,
  type Machine,
  raiseBudget,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { ok } from '@cuebook/prompt';
import type { TeamCommand } from './command.js';
import type { TeamConfig } from './config.js';
import { decideApproval } from './decide/approval.js';
import { addEdge, addNode, configureNode } from './decide/graph.js';
import { approveNatively, callNatively, moveSession, tellNatively } from './decide/native.js';
import { interruptNode, messageNode, resetNode, resumeNode } from './decide/node.js';
import { type CommandAnswer, refuse, type TeamDecideParts } from './decide/refuse.js';
import { updateRole } from './decide/role.js';
import { finish, pause, resume, setLimits, setMode, stop } from './decide/run.js';
import { listServers } from './decide/servers.js';
import { startRun } from './decide/start.js';
import { updateTeam } from './decide/update.js';
import type { AnyTeamEvent, TeamEvent } from './event.js';
import { TEAM_EVENTS } from './event-types.js';
import { projectTeam } from './project.js';
import { isOver, NEW_TEAM, nodesOf, type TeamState } from './state.js';
import { finishSteps } from './step/finish.js';
import { scheduleSteps } from './step/schedule.js';
import { workSteps } from './step/work.js';

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

/** What a command does, and all that follows from it by itself. */
export function decideTeam(
  state: TeamState,
  command: TeamCommand | EngineCommand,
  config: TeamConfig,
  context: DecideContext,
): Decision<TeamEvent> {
  const parts = { config, context };
  return follow<TeamState, TeamCommand, TeamEvent>(state, command, {
    decide: (own) => decideOwn(state, own, parts),
    next: (after) => nextStep(after, parts),
    project: projectTeam,
    now: context.now,
  });
}

function nextStep(state: TeamState, parts: TeamDecideParts): readonly AnyTeamEvent[] {
  for (const node of nodesOf(state)) {
    if (node.work === null) continue;
    const steps = workSteps(state, node, node.work, parts);
    if (steps.length > 0) return steps;
  }
  const finish = finishSteps(state, parts.context);
  return finish.length > 0 ? finish : scheduleSteps(state, parts);
}

function decideOwn(state: TeamState, command: TeamCommand, parts: TeamDecideParts): CommandAnswer {
  if (command.type === 'run.start') return startRun(state, command, parts);
  if (state.status === 'new') return refuse('E_RUN_NOT_STARTED', 'The run has not begun.');
  if (guard('run.over', isOver(state))) return refuse('E_RUN_OVER', `The run is over: ${state.status}.`);
  switch (command.type) {
    case 'run.pause':
      return pause(state, command);
    case 'run.resume':
      return resume(state, command);
    case 'run.stop':
      return stop(state, command, parts);
    case 'run.finish':
      return finish(state, command, parts);
    case 'run.mode':
      return setMode(state, command);
    case 'run.limit':
      return setLimits(state, command);
    case 'node.message':
      return messageNode(state, command, parts);
    case 'node.interrupt':
      return interruptNode(state, command);
    case 'node.reset':
      return resetNode(state, command, parts);
    case 'node.resume':
      return resumeNode(state, command);
    case 'node.configure':
      return configureNode(state, command);
    case 'node.add':
      return addNode(state, command, parts);
    case 'edge.add':
      return addEdge(state, command, parts);
    case 'run.update':
      return updateTeam(state, command, parts);
    case 'role.update':
      return updateRole(state, command, parts);
    case 'approval.resolve':
      return decideApproval(state, command, parts);
    case 'budget.raise': {
      const raised = raiseBudget(state.budget, command);
      return raised.ok ? ok({ events: [raised.value] }) : raised;
    }
    case 'servers.list':
      return listServers(state, command);
    case 'native.call':
      return callNatively(state, command, parts);
    case 'native.approve':
      return approveNatively(state, command, parts);
    case 'native.tell':
      return tellNatively(state, command);
    case 'native.move':
      return moveSession(state, command);
  }
}
