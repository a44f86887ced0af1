import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of threads. */
export const THREAD_CODES = {
  E_THREAD_AGENT: {
    title: 'No such agent',
    cause: 'The thread names an agent that the project does not define, or whose prompt did not load.',
    fix: `Correct the name as the message suggests; ${hint`check`} tells what did not load.`,
  },
  E_THREAD_STARTED: {
    title: 'The thread has already started',
    cause: 'A thread is started once.',
    fix: 'Say something to it, or start another one.',
  },
  E_THREAD_NOT_STARTED: {
    title: 'The thread has not started',
    cause: 'Something was said to a thread that nobody started.',
    fix: 'Start it first, or correct its id.',
  },
  E_THREAD_STOPPING: {
    title: 'The thread is stopping',
    cause: 'Something was said while a stop waits for what runs.',
    fix: 'Say it again when the thread has stopped.',
  },
  E_THREAD_NOT_PAUSED: {
    title: 'There is nothing to resume',
    cause: 'The thread is at work, or waits for a message.',
    fix: 'Say something to it.',
  },
  E_THREAD_STEPS: {
    title: 'Too many steps',
    cause: 'A session has taken as many steps as a session may, and did not end by itself.',
    fix: 'Give its sides stop rules or `maxSteps`, or say something to continue.',
  },
  E_THREAD_PROVIDER: {
    title: 'Not a voice for a thread',
    cause: 'The model of the prompt names a CLI agent. Threads speak to model APIs and to the rehearsal.',
    fix: 'Name a model API in the model definition, or hand one in with `--provider`.',
  },
  E_THREAD_PROMPT: {
    title: 'A prompt that may not be sent',
    cause: 'A gate refused the request: a leak, a forged structure, or text that is not trusted enough.',
    fix: 'The message names the block; correct its source.',
  },
  E_THREAD_ROOM: {
    title: 'A message that is too large for its model',
    cause:
      'What is in every request (the system text, the tools) and the newest message have more than `contextLength` of the model, even with all else left out.',
    fix: 'Say less, attach less, or raise `capabilities.contextLength` of the model if it takes more.',
  },
  E_THREAD_HELD: {
    title: 'Another process works on the thread',
    cause: 'A thread is worked on by one process at a time.',
    fix: 'Wait until the other process has ended.',
  },
  E_SUBPROMPT: {
    title: 'A sub-prompt that failed',
    cause: 'The model of a prompt that was called as a tool failed, or its prompt could not be composed.',
    fix: 'The result of the call says why.',
  },
  E_SESSION_FAILED: {
    title: 'A session that gave up',
    cause: 'The agent called its `sessionFail` tool.',
    fix: 'The message is what the agent said.',
  },
  E_HANDOFF: {
    title: 'A second handoff in one answer',
    cause: 'One answer of a model hands the conversation to two agents. The first call counts.',
    fix: 'Nothing: the agent that the conversation was handed to continues, and may hand it on itself.',
  },
  E_TOOL_CHOICE_IGNORED: {
    title: 'No tool was called',
    cause: "The prompt has `toolChoice: 'required'`, and the model answered three times without a call.",
    fix: 'Say in the prompt which tool to call, or use another model.',
  },
  E_ATTACHMENT: {
    title: 'An attachment that does not exist',
    cause: 'A message names a file that the thread cannot read, or that is too large.',
    fix: 'Correct the path: attachments are files of the project, below its folder.',
  },
  E_ATTACHMENT_WITHHELD: {
    title: 'A file that is not attached',
    cause:
      'A model, a tool or a person named a file that they do not get: state of Cuebook, and for models and tools also `.git`, keys, environment files and secrets that git ignores.',
    fix: 'Name another file. A person may attach any file of the project with `--attach`, but nothing of CUEBOOK_HOME.',
  },
  E_ATTACHMENT_SECRET: {
    title: 'An attachment that may not be sent',
    cause:
      'A file that cannot be masked (an archive, a document, a picture) holds a credential or a private path, or it cannot be searched: it is encrypted, compressed in an unknown way, or unpacks to too much.',
    fix: 'Take the secret out of the file, or attach its text; save it again without encryption.',
  },
  E_SECRET_SEAL: {
    title: 'A secret that cannot be opened',
    cause: 'A secret variable was sealed with another key than the one of this home, or was changed.',
    fix: 'Hand the variable in again, or use the home that the thread was started in.',
  },
  W_HOOK_FAILED: {
    title: 'A hook that failed',
    cause: 'A hook threw, took too long, or answered something that is not JSON. The data is unchanged.',
    fix: 'Correct the hook; the message says what it did.',
  },
  W_HOOK_EMPTY: {
    title: 'A hook that answered nothing',
    cause:
      'A hook that may change data returned nothing, or something of another shape. The data is unchanged.',
    fix: 'Return the data, changed or not.',
  },
  W_HOOK_NOT_RUN: {
    title: 'A hook was not run',
    cause:
      'A case of a prompt has a conversation, which counts as stored, and the prompt has a hook that changes messages or results before they are stored.',
    fix: 'Write the conversation as the hook leaves it.',
  },
  W_HOOK_WORDS: {
    title: 'Text of a hook that cannot be traced to its author',
    cause:
      'A hook changed the system text, and what it added is neither in the prompt nor in its own code: a variable, a message, something that it computed or looked up.',
    fix: 'Nothing, if a fence after the system text is the right place for it. Otherwise write the text in the hook itself, or give a value of the instance.',
  },
} as const satisfies Record<string, CodeEntry>;
