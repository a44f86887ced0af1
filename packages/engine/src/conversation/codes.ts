import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of the tool loop, approvals, budgets and the agent. Most are read by a model, as the result of its call. */
export const AGENT_CODES = {
  E_TOOL_UNKNOWN: {
    title: 'A tool that does not exist',
    cause: 'The model called a tool by a name that no tool has.',
    fix: 'Call one of the tools that are offered; the message names the nearest.',
  },
  E_TOOL_NOT_ALLOWED: {
    title: 'A tool that is not open to this agent',
    cause: 'The tool exists, and the policy of this agent or of its mode does not list it.',
    fix: 'Do without it, or have a person widen the policy.',
  },
  E_TOOL_DENIED: {
    title: 'A call that the policy denies',
    cause: 'The policy denies the tool, or this use of it; the message has the reason.',
    fix: 'Reach the goal in another way, or have a person change the policy.',
  },
  E_TOOL_INPUT: {
    title: 'Arguments that do not fit',
    cause: 'The arguments of the call are not JSON, or not what the tool takes; the message names the place.',
    fix: 'Call the tool again with arguments that follow its schema.',
  },
  E_TOOL_DUPLICATE: {
    title: 'One id, two calls',
    cause: 'Two calls of one answer have the same id, and the second was not run.',
    fix: 'Make the call again with an id of its own.',
  },
  E_TOOL_TOO_MANY: {
    title: 'Too many calls',
    cause: 'The answer, or the turn, makes more calls than it may; the first ones were taken.',
    fix: 'Make the remaining calls in a later answer.',
  },
  E_TOOL_FAILED: {
    title: 'A tool that reports a failure',
    cause: 'The tool ran and says that it did not succeed.',
    fix: 'Its output says why.',
  },
  E_TOOL_STOPPED: {
    title: 'A call that was not run',
    cause: 'The run was stopped, or its answer not acted on, before the call began.',
    fix: 'Make the call again if it is still wanted.',
  },
  E_TOOL_OUTCOME_UNKNOWN: {
    title: 'Nobody knows whether it ran',
    cause:
      'The call was started, the process ended, and neither the world nor a person can say what happened to it.',
    fix: 'Look at its effect before calling it again.',
  },
  E_APPROVAL_DENIED: {
    title: 'A person said no',
    cause: 'A person did not allow the call.',
    fix: 'Reach the goal in another way, or ask the person.',
  },
  E_APPROVAL_EXPIRED: {
    title: 'Nobody answered in time',
    cause: 'The call waited for a person and the time for it ran out.',
    fix: 'Make the call again when somebody is there, or give approvals more time.',
  },
  E_APPROVAL_UNKNOWN: {
    title: 'An approval that nobody asked for',
    cause: 'The run has no approval with this id.',
    fix: `List the approvals that wait: ${hint`approvals`}.`,
  },
  E_APPROVAL_RESOLVED: {
    title: 'An approval that was answered before',
    cause: 'Somebody has answered it, it has expired, or the run was stopped.',
    fix: 'Nothing is left to do; the message says how it was answered.',
  },
  E_APPROVAL_INPUT: {
    title: 'A changed input that does not fit',
    cause: 'What a person changed the arguments to is not what the tool takes, or the policy denies it.',
    fix: 'Correct the place that the message names and answer again; the approval still waits.',
  },
  E_APPROVAL_GRANT: {
    title: 'A grant for acts that only the agent names',
    cause:
      'An agent asked for an act in words of its own, and everything that it names so was to be allowed for the rest of the run. The next act of that name may be anything.',
    fix: 'Allow this act alone: leave the grant out. The approval still waits.',
  },
  E_BUDGET_LIMIT: {
    title: 'A budget that bounds nothing',
    cause: 'A limit is not a finite number above 0.',
    fix: 'Give a number, or leave it out for the default.',
  },
  E_BUDGET_UNPRICED: {
    title: 'Money without a price',
    cause: 'The budget is in money and the price of the model is not known.',
    fix: 'Add the price of the model, or set the budget in turns and tokens.',
  },
  E_BUDGET_EXHAUSTED: {
    title: 'The budget is spent',
    cause: 'The next turn would cost at least more than is left.',
    fix: 'Raise the budget: the run continues from where it is.',
  },
  E_BUDGET_RAISE: {
    title: 'A raise that raises nothing',
    cause: 'No limit is named, one is not higher than it is now, or the run has no such budget.',
    fix: 'Name at least one limit, each higher than it is now.',
  },
  E_AGENT_NOT_STARTED: {
    title: 'No provider to send to yet',
    cause: 'The conversation has not been started.',
    fix: 'Start it first.',
  },
  E_AGENT_STARTED: {
    title: 'Started before',
    cause: 'The conversation has been started already.',
    fix: 'Say something to it, or start another run.',
  },
  E_AGENT_STOPPING: {
    title: 'On its way to a stop',
    cause: 'The conversation is stopping and waits for what is still running.',
    fix: 'Say it again when it has stopped.',
  },
  E_AGENT_NOT_PAUSED: {
    title: 'Nothing to resume',
    cause: 'The conversation is at work, or waits for a message.',
    fix: 'Wait, or say something to it.',
  },
  E_AGENT_NO_TURN: {
    title: 'A turn that is over',
    cause: 'An agent asked for something in a turn that is not in flight any more.',
    fix: 'Ask again in the next turn.',
  },
  E_AGENT_TURN: {
    title: 'A turn that failed',
    cause: 'The provider ended the turn without an answer.',
    fix: 'Resume: the same turn is asked for again.',
  },
  E_AGENT_OUTCOME: {
    title: 'A turn of another shape',
    cause: 'The driver of the turn gave something that is not a turn.',
    fix: 'Correct the driver; resume asks for the turn again.',
  },
  E_AGENT_RETRIES: {
    title: 'Never the right answer',
    cause: 'The answer was judged wrong as often as it may be asked for.',
    fix: 'Say what is wanted in other words, or resume to try again.',
  },
  E_AGENT_HOOK: {
    title: 'A judge that broke',
    cause: 'The function that judges answers threw an error.',
    fix: 'Correct it; resume asks for the turn again.',
  },
} as const satisfies Record<string, CodeEntry>;
