import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of teams. */
export const TEAM_CODES = {
  E_ROLE: {
    title: 'A role template that does not fit',
    cause:
      'The `[template]` preamble at the top of the file is not TOML, or a key in it has another shape than it must have; the message names the line.',
    fix: 'Correct the line that the message names. docs/user/teams.md lists the four keys.',
  },
  E_ROLE_NAME: {
    title: 'Not the name of a role template',
    cause:
      'The name holds something other than letters, digits, dash and underscore, so it could name a file elsewhere.',
    fix: 'Name the template by its file in docs/templates, without the ending.',
  },
  E_ROLE_UNKNOWN: {
    title: 'No such role template',
    cause: 'Neither docs/templates of the repository nor Cuebook itself has a template of that name.',
    fix: 'Correct the name, or write docs/templates/NAME.md.',
  },
  E_ROLE_UNALLOWED: {
    title: 'A role template that no person has allowed',
    cause:
      'An agent wrote the template into the project’s own folder, or is at work there, and there is no version of a person to start with.',
    fix: `Read the file. Allow it in the run that asks (${hint`approvals`}), or make it yours: change it, its version for instance, and save it.`,
  },
  W_ROLE_UNALLOWED: {
    title: 'Words of an agent that are not used',
    cause:
      'The template in docs/templates is as an agent left it, and no person has allowed it. Runs start with the last version that a person wrote or allowed.',
    fix: `Read the file. Allow it in a run that asks (${hint`approvals`}), change it and save it, or bring back the file that you had.`,
  },
  W_ROLE: {
    title: 'A role template that says less than it could',
    cause: 'The preamble is missing, or holds a key or a capability that means nothing to Cuebook.',
    fix: 'Add or correct the preamble. Without it the role has no edge-management scope.',
  },
  E_TEAM: {
    title: 'A team file that does not fit',
    cause: 'The file is not valid YAML, or a key or value in it is not one that a team has.',
    fix: 'Correct the place that the message names. docs/user/teams.md lists every key.',
  },
  E_TEAM_ALIAS: {
    title: 'Two nodes with one alias',
    cause: 'Aliases tell nodes apart, whatever the case of their letters.',
    fix: 'Rename one of the two nodes.',
  },
  E_TEAM_NODE: {
    title: 'No such node',
    cause: 'An edge, a command or an input names a node that the team does not have.',
    fix: 'Use the alias of a node of the team.',
  },
  E_TEAM_EDGE: {
    title: 'An edge that cannot be',
    cause: 'The edge joins a node to itself, or the same edge already exists.',
    fix: 'Join two different nodes, once.',
  },
  E_TEAM_WORKSPACE: {
    title: 'Nodes that work in each other’s folder',
    cause:
      'The `workspace: { with: ALIAS }` of one or more nodes lead back to where they began, so none of them has a folder.',
    fix: 'Leave out the `workspace` of the node in whose folder the others are to work.',
  },
  W_TEAM: {
    title: 'A team that may not do what was meant',
    cause:
      'A setting has no effect: a node that nothing reaches, a right that its role does not have, no orchestrator in AUTO.',
    fix: 'Change the setting that the message names, or leave it if it is meant.',
  },
  E_CALL_FORM: {
    title: 'Almost a tool call',
    cause:
      'A line of the answer looks like a tool_call and is not one: text around it, two on a line, JSON that does not parse, a wrong field.',
    fix: 'Write each call as one JSON object alone on its line: {"tool_call":{"name":"...","args":{...}}}.',
  },
  E_CALL_IN_OUTPUT: {
    title: 'A tool call in the output of a command',
    cause: 'Calls are made in the answer itself. What a command prints is never a call.',
    fix: 'Write the call in the answer, on a line of its own.',
  },
  E_CALL_REFUSED: {
    title: 'A call that the graph cannot carry out',
    cause:
      'A node, an alias, an edge or a limit stands against it at the moment of the call; the message says which.',
    fix: 'Do what the message says, then make the call again.',
  },
  E_RUN_STARTED: {
    title: 'The run has started',
    cause: 'A run is started once.',
    fix: 'Start another run, or continue with this one.',
  },
  E_RUN_NOT_STARTED: {
    title: 'The run has not started',
    cause: 'The first command of a run is its start.',
    fix: 'Start the run first.',
  },
  E_RUN_UNCHECKED: {
    title: 'The run is not done',
    cause:
      'Its checks fail, or it is not known what a turn has changed. A run is completed only when all of it is well.',
    fix: 'Have the work fixed, or look at the node that waits for you. To end the run all the same, finish it with ok false, or stop it.',
  },
  E_RUN_OVER: {
    title: 'The run is over',
    cause: 'It was completed, failed or stopped, and takes no further commands.',
    fix: 'Start another run.',
  },
  E_RUN_NOT_PAUSED: {
    title: 'Nothing to resume',
    cause: 'The run or node is not paused, held or failed.',
    fix: 'Look at its status.',
  },
  E_NODE_IDLE: {
    title: 'No turn to act on',
    cause: 'The node has no turn in flight, or the turn that the command names is over.',
    fix: 'Look at the status of the node.',
  },
  E_NODE_BUSY: {
    title: 'The node is at work',
    cause: 'The setting changes only between turns.',
    fix: 'Interrupt the node, or wait for the end of its turn.',
  },
  E_CHANGES_UNKNOWN: {
    title: 'Changes that could not be checked',
    cause:
      'After a turn the diff of the workspace, or setting aside what may not stay, failed; the message says why.',
    fix: `Look at the workspace of the node (${hint`runs workspaces`}), fix the cause, then resume the node.`,
  },
  E_TURN_LEFT: {
    title: 'A turn that a stop interrupted',
    cause: 'The host was stopped while the agent was at work. What had been said by then is on record.',
    fix: 'Start the host again: the node continues by itself, and is told.',
  },
  E_ARTIFACT_UNKNOWN: {
    title: 'No such artifact',
    cause: 'The run has kept nothing under this hash, or its content was deleted on request.',
    fix: 'Take the hash from an event of the run: artifact.kept has it.',
  },
} as const satisfies Record<string, CodeEntry>;
