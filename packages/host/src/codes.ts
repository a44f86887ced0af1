import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of the host of runs. */
export const HOST_CODES = {
  E_RUN_TARGET: {
    title: 'A target that no kind of run takes',
    cause: 'The prefix of the target is that of no kind of run, or what it names cannot be run.',
    fix: 'Name an agent, a prompt, a workflow or a team: agent:NAME, workflow:DIR#ID, team:FILE.',
  },
  E_RUN_NAME: {
    title: 'A credential where a name belongs',
    cause:
      'The target, the provider or the model of a call holds what looks like a credential. Names are stored as they are, and sent.',
    fix: 'Name what is to be run, and put credentials where they belong: into an environment variable. Replace the one that was typed.',
  },
  E_RUN_KIND: {
    title: 'A kind of run that cannot be loaded',
    cause: 'The module that cuebook.yaml names for the kind is not there, fails, or is another kind.',
    fix: 'Look at the log of the server for what went wrong, and correct the module or its name.',
  },
  E_RUN_CALL: {
    title: 'Nobody knows how a run was called',
    cause: 'The note of the run is gone, and its record does not say what it was started with.',
    fix: 'Go on with the run by the command that began it, with the same flags.',
  },
  E_RUN_SOURCES: {
    title: 'The sources of a run cannot be stored, or are no longer available',
    cause:
      'A run uses its sources as they were when it started. They were erased, were sealed in another CUEBOOK_HOME, or are more than 48 MB when packed.',
    fix: 'Start another run: it takes the sources as they are now. A run of another home continues there.',
  },
  E_UPDATE_KIND: {
    title: 'A run that cannot be moved to other sources',
    cause:
      'Runs of this kind keep the sources that they were started with: what they measured or said would not belong together otherwise.',
    fix: 'Start another run: it takes the sources as they are now.',
  },
  E_UPDATE_SAME: {
    title: 'A run that uses these sources already',
    cause: 'The definitions are the same, byte for byte, and so is the commit of the other files.',
    fix: `Name another commit with --to, or save your edits first. ${hint`log RUN`} shows which sources the run had when.`,
  },
  E_UPDATE_GONE: {
    title: 'New sources that lack what a run is in the middle of',
    cause:
      'The agent, prompt, node, step or package that the run uses now is not in the sources that it shall use from now on.',
    fix: 'Name a commit that has it, put it back, or start another run.',
  },
  E_EVAL_CHANGED: {
    title: 'The request of a take is not the one that was planned',
    cause:
      'What is private here has changed since the comparison began, so the same sources give another prompt.',
    fix: 'Compare again: the requests are composed again.',
  },
  E_RUN_FAILED: {
    title: 'A run that has failed',
    cause: 'Who led the run, or a person, said that it cannot be done.',
    fix: 'Read the summary of the run, and start another one when the cause is gone.',
  },
  E_REPLY: {
    title: 'An answer that does not fit',
    cause: 'What waits is answered in other forms than the one that was given.',
    fix: 'Answer in one of the forms that the message names.',
  },
  E_WAIT_UNKNOWN: {
    title: 'Nothing of that id waits',
    cause: 'It was answered before, or withdrawn, or it never waited in this run.',
    fix: 'List what waits and answer by the id that stands there.',
  },
  E_PERSON_NAME: {
    title: 'Not the name of a person',
    cause: 'The name has other characters than it may have, or is one that records have for something else.',
    fix: 'Use up to 100 of a-z, 0-9 and . _ @ + -, and none of owner, nobody, schedule, hook, sign-in, cuebook, server.',
  },
  E_PERSON_EXISTS: {
    title: 'There is a person of that name or address already',
    cause: 'Each person of a project has a name and an address of their own.',
    fix: 'Choose another name, or change the role of the one who is there.',
  },
  E_PERSON_UNKNOWN: {
    title: 'No person of that name',
    cause: 'Nobody of that name was added to this project, or they were removed.',
    fix: `List who is there with ${hint`people`}, and add whoever is missing.`,
  },
  E_PERSON_TOKEN: {
    title: 'No token of that id',
    cause: 'The token was revoked before, has ended, or belongs to somebody else.',
    fix: `List people with the ids of their tokens: ${hint`people --json`}.`,
  },
  E_PERSON_TOKENS: {
    title: 'Too many tokens of one person',
    cause: 'A person has at most 100 tokens that count.',
    fix: 'Revoke tokens that are not needed any more.',
  },
  E_QUOTA_REACHED: {
    title: 'A limit of the project or of a person is reached',
    cause:
      'What the run may spend, or the run itself, does not fit into what the limit has left. What runs under way may still spend is reserved for them.',
    fix: `Wait until the limit begins anew or a run ends, ask for a smaller budget, or let an owner raise the limit with ${hint`quota set SUBJECT --usd-day NUMBER`}. ${hint`quota`} shows what is used.`,
  },
  E_QUOTA_SUBJECT: {
    title: 'Limits for nobody',
    cause: 'Limits are for the project, for a role, or for a person, and the text names none of them.',
    fix: 'Name project, role:ROLE or person:NAME.',
  },
  E_QUOTA_LIMIT: {
    title: 'A limit that cannot be',
    cause: 'No limit is named, or it is below 0, or tokens or runs have a fraction.',
    fix: 'Give each limit a number from 0 on. 0 lets nothing through.',
  },
  E_QUOTA_UNKNOWN: {
    title: 'No limits for that subject',
    cause: 'They were removed, or never set.',
    fix: `List the limits that are set: ${hint`quota`}.`,
  },
  E_SCHEDULE_CRON: {
    title: 'Times that cannot be had',
    cause: 'The five fields of the times do not fit, no day ever fits them, or the time zone is not known.',
    fix: 'Write minute, hour, day of the month, month and day of the week: `0 9 * * 1-5` is nine in the morning on working days.',
  },
  E_SCHEDULE_UNKNOWN: {
    title: 'No schedule of that id',
    cause: 'It was removed, or never there.',
    fix: `List schedules with their ids: ${hint`schedule`}.`,
  },
  E_SCHEDULE_MANY: {
    title: 'Too many schedules',
    cause: 'A project has at most 1,000.',
    fix: 'Remove those that are not needed any more.',
  },
  E_WEBHOOK_TAKES: {
    title: 'A webhook that cannot be',
    cause:
      'An input is named that the kind of target does not take from a body, a JSON pointer is none, or what it shall answer is neither a question nor an approval.',
    fix: 'Name inputs of the sheet with `--take NAME=/POINTER`; for an agent, a prompt, a workflow or a team the one input is `input`.',
  },
  E_WEBHOOK_UNKNOWN: {
    title: 'No webhook of that id',
    cause: 'It was removed, or never there.',
    fix: `List webhooks with their ids: ${hint`webhook`}.`,
  },
  E_WEBHOOK_MANY: {
    title: 'Too many webhooks',
    cause: 'A project has at most 1,000.',
    fix: 'Remove those that are not needed any more.',
  },
  E_WEBHOOK_BODY: {
    title: 'The body of a delivery does not fit',
    cause: 'A value that is taken as an input is too long, or a body that answers names no run or no answer.',
    fix: 'Send a body as the page about webhooks shows it.',
  },
  E_WEBHOOK_DELIVERY: {
    title: 'A delivery with another body',
    cause: 'A delivery of the same id came before and was something else.',
    fix: 'Give each delivery an id of its own, and repeat one with the same bytes.',
  },
  E_WEBHOOK_ANSWER: {
    title: 'Nothing that this webhook may answer',
    cause:
      'In that run nothing waits of the kind that the webhook answers, the run is of another target, or several things wait and none is named.',
    fix: 'Name in `run` a run of the target of the webhook, and in `wait` what is answered.',
  },
  E_WORD_UNKNOWN: {
    title: 'A word that this kind of run does not take',
    cause: 'The kind of run has nothing that the word could mean.',
    fix: 'Use a word that the kind takes: its page says which.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;
