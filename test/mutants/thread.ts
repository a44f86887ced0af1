import { type Mutant, rows } from './rows.js';

/** The guards of `packages/thread`. */
export const THREAD_MUTANTS: readonly Mutant[] = [
  ...rows('packages/thread', 'test/kind.test.ts', {
    'thread.sources': 'is told the words of its beginning after every source was edited, in another process',
  }),
  {
    guard: 'thread.unopened',
    package: 'packages/thread',
    file: 'apps/cli/src/run/agent/sealed.test.ts',
    test: 'a thread whose secrets cannot be opened here is refused by name, and goes on with the key, or with the secret again',
  },
  ...rows('packages/thread', 'src/run/decide.test.ts', {
    'thread.update-gone': 'moves to other definitions that have who takes part, and to no others',
    'thread.started': 'a word to a thread that has not begun is refused',
    'thread.once': 'a thread begins once, and with an agent that there is',
    'thread.stopping': 'a stop waits for what runs, keeps what was said, and takes no word until it is over',
    'session.max': 'a session that does not end by itself ends after so many steps',
    'frame.depth': 'conversations stand so deep within each other, and no deeper',
    'frame.room': 'a run opens so many conversations, and no more',
  }),
  ...rows('packages/thread', 'src/run/one-answer.test.ts', {
    'calls.one-by-one': 'two messages to one child that is waited for: the first waits, the second is sent',
    'handoff.once': 'two handoffs: the first counts',
    'session.unasked': 'a thread whose prompt is gone fails once for each word, and keeps the word',
  }),
  ...rows('packages/thread', 'src/env/masked-session.test.ts', {
    'secret.stream': 'a secret is in no word that is heard while a model speaks, wherever its words are cut',
  }),
  ...rows('packages/thread', 'src/drive/opening.test.ts', {
    'arguments.known': 'arguments that no schema and no setting names are refused by name',
  }),
  ...rows('packages/thread', 'test/approvals.test.ts', {
    'approval.input': 'changed arguments pass every check that the first ones passed',
  }),
  ...rows('packages/thread', 'test/servers.test.ts', {
    'thread.server-asks': 'a person is asked when the operator says so of the server',
    'approval.listed': 'a person is asked when the prompt says so of the tool',
  }),
  ...rows('packages/thread', 'src/drive/condense.test.ts', {
    'history.fits': 'goes on, says what is left out, and the record keeps all',
    'history.media':
      'for all histories with pictures and files: the request fits, whatever is newest, and tells what has no room',
  }),
  ...rows('packages/thread', 'test/cases/hook-words.test.ts', {
    'message.rewritten':
      'filter_messages: for all values, however they are spelled, they are no words of the author',
  }),
  ...rows('packages/thread', 'src/drive/clean-bytes.test.ts', {
    'attachment.mask': 'text of every encoding loses a secret, however it is spelled',
    'attachment.held': 'zip that a text holds is refused with a secret in it, or told without it',
    'attachment.secret':
      'a container that holds a secret is refused, whatever it is and however the secret is spelled',
  }),
  ...rows('packages/thread', 'test/attachments.test.ts', {
    'attachment.later':
      'a secret that becomes known later is masked in what was attached before, and a container is not sent again',
  }),
  ...rows('packages/thread', 'test/cases/agents.test.ts', {
    'step.max': 'maxSteps ends the turn of a side',
    'session.succeeded': 'a session tool that itself fails does not end the session',
    'subagent.name': 'resumable: two tools are told in the place of the agent, and a name is needed',
    'subagent.limit': 'maxInstances: one more is an error that names those there are',
    'subagent.active': 'a word to somebody who is not there, or who is no child: not active',
    'immediate.limit': 'immediate by variables: no more children than the configuration allows',
  }),
  ...rows('packages/thread', 'test/cases/tools.test.ts', {
    'choice.required': "'required': an answer without a call is asked for again, with a word about it",
    'variable.required':
      'a required variable that nobody has: the function does not run, and the result says which',
  }),
  ...rows('packages/thread', 'test/cases/subprompt.test.ts', {
    'attachment.missing':
      'an attachment that is not there is a failed call that names it, and nothing is asked',
  }),
  ...rows('packages/thread', 'test/cases/hooks.test.ts', {
    'request.silent': 'filter_messages that leaves nothing: the model is told to begin',
    'hook.failed':
      'filter_messages that does "throw new Error(\'no\');" leaves the data as it was, and a diagnostic',
    'hook.shape': 'before_create_message that does "" leaves the data as it was, and a diagnostic',
  }),
  ...rows('packages/thread', 'test/secrets.test.ts', {
    'secret.text':
      'a secret is in no request, event, stored message, log line or error, whatever a tool, a hook or a model says',
    'secret.value':
      'a secret is in no request, event, stored message, log line or error, whatever a tool, a hook or a model says',
  }),
];
