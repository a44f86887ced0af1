import type { CodeEntry } from '@cuebook/prompt';

/** The codes of the engine. */
export const ENGINE_CODES = {
  // The loop, effects, recovery, timers and work.
  E_COMMAND_INVALID: {
    title: 'A command that cannot be taken',
    cause: 'The id is empty or too long, or the type is one that only the engine itself gives.',
    fix: 'Give each command an id of 1 to 200 characters, and a type of your own.',
  },
  E_COMMAND_CONFLICT: {
    title: 'One id, two commands',
    cause: 'A command with this id was done before in this run and said something else.',
    fix: 'Give a new command a new id; use an id again only to repeat the very same command.',
  },
  E_RUN_BUSY: {
    title: 'The run moves too fast',
    cause: 'Each time the command was decided, somebody else had written to the run in the meantime.',
    fix: 'Give the same command again, with the same id.',
  },
  E_DECISION: {
    title: 'A machine that decided wrongly',
    cause:
      'The machine wrote an event that only the engine writes, or intended an effect under the id of one that is open.',
    fix: 'Correct the machine: take ids from newId, and write only its own events, intents and timers.',
  },
  E_JOURNAL: {
    title: 'The journal did not take it',
    cause: 'The store failed. Whether the command was written is not known.',
    fix: 'Give the same command again, with the same id, when the store answers; it is done at most once.',
  },
  E_ENGINE_STOPPED: {
    title: 'The engine has stopped',
    cause: 'The process is shutting down and takes no more commands.',
    fix: 'Give the same command again to an engine that runs.',
  },
  E_WORK_HELD: {
    title: 'Another process does the work',
    cause: 'With SQLite one process at a time does the work of a store, and another one does.',
    fix: 'Use that process, or stop it and start again; a dead process lets go of the work within seconds.',
  },
  E_EFFECT_CLOSED: {
    title: 'An effect that is not open',
    cause: 'The run has no open effect with this id: it was never intended, or its outcome is written.',
    fix: 'Read the run: its log shows the outcome.',
  },
  E_EFFECT_NOT_ASKED: {
    title: 'Nobody asked',
    cause: 'The effect waits for its driver and not for a person.',
    fix: 'Wait for its outcome.',
  },
  E_EFFECT_FAILED: {
    title: 'A driver that failed',
    cause: 'The driver of the effect threw an error instead of giving an outcome.',
    fix: 'The log of the process has the error. The run decides whether to try again.',
  },
  E_EFFECT_TIMEOUT: {
    title: 'An effect that took too long',
    cause: 'The driver gave no outcome within its time. Whether the effect was done is not known.',
    fix: 'Look into the world before doing it again, or give the driver more time.',
  },
  E_EFFECT_ABORTED: {
    title: 'An effect that was ended',
    cause: 'Somebody asked to end the effect while it was being done.',
    fix: 'Nothing is broken: the run decides how to continue.',
  },
  E_EFFECT_OUTCOME: {
    title: 'An outcome that cannot be kept',
    cause: 'What the driver gave is not an outcome, is not JSON, or is too large for the log.',
    fix: 'Give plain JSON, and put large content into a blob and its hash into the outcome.',
  },
  E_EFFECT_SEALED: {
    title: 'What the effect needs cannot be opened',
    cause:
      'A credential in what the effect was given is sealed in the vault, and its entry was erased, or is in the CUEBOOK_HOME of another machine.',
    fix: 'Give the credential again, or do the work where it was sealed: machines that share a journal share the folder vault.',
  },
  E_EFFECT_DRIVER: {
    title: 'Nobody can do this',
    cause: 'The engine has no driver for the kind of effect that the run intended.',
    fix: 'Start the engine with a driver for that kind.',
  },
} as const satisfies Record<string, CodeEntry>;

// The tool loop, approvals, budgets, stalls and the agent.
export { AGENT_CODES } from './conversation/codes.js';
