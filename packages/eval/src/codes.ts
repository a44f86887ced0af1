import type { CodeEntry } from '@cuebook/prompt';

/** The codes of edits, comparisons and tuning. */
export const EVAL_CODES = {
  E_EDIT: {
    title: 'An edit cannot be read',
    cause: 'It is none of: drop, replace or neutral with a place; model=, param:NAME=, tool:-NAME.',
    fix: 'Write it as in: drop:texts/tone.md:3-5, replace:texts/tone.md=@new.md, neutral:block:contract, model=NAME.',
  },
  E_EDIT_NOTHING: {
    title: 'An edit matches nothing',
    cause: 'No piece of the prompt comes from the place that the edit names, in any case.',
    fix: 'Use explain to see where the text comes from, and name that file, lines, block or obligation.',
  },
  E_EDIT_PROTECTED: {
    title: 'An edit touches what edits may not touch',
    cause: 'It would change structure, or text that is confidential.',
    fix: 'Name a narrower place; for confidential text give --reveal, if you may see it.',
  },
  E_TUNE_SCOPE: {
    title: 'A proposal changes text that is not tunable',
    cause: 'Outside the origins that the tune file names, every byte must stay.',
    fix: 'Name the origin under tunable, or propose a change of the named texts alone.',
  },
  E_TUNE_OBLIGATION: {
    title: 'A proposal drops an obligation',
    cause: 'What the prompt demands and forbids must be demanded and forbidden afterwards, to the letter.',
    fix: 'Keep the sentence, or list it under keep as one that may change.',
  },
  E_TUNE_INPUT: {
    title: 'A proposal drops an input',
    cause: 'An input or variable of the prompt is not in the proposed text, so the model would answer blind.',
    fix: 'Keep every placeholder.',
  },
  E_TUNE_TOOL: {
    title: 'A proposal changes tools or parameters',
    cause: 'Tuning is about words: tools, their schemas and parameters stay as they are.',
    fix: 'Propose texts alone.',
  },
  E_TUNE_TOKENS: {
    title: 'A proposal is longer than allowed',
    cause: 'The composed prompt has more tokens than the tune file allows.',
    fix: 'Propose a shorter text, or raise tokens.max.',
  },
  E_TUNE_COPY: {
    title: 'A proposal copies a case',
    cause:
      'Eight words in a row, a name or a number of a case stand in the proposal and not in the prompt before.',
    fix: 'Propose words that would serve cases that nobody has seen.',
  },
  E_INJECTION_FILE: {
    title: 'A file of attacks that cannot be read',
    cause:
      'A file given with --injection is not a suite of ours, and has neither the shape of InjecAgent nor that of AgentDojo; or a task, goal or attack in it does not fit.',
    fix: 'Correct the line that the message names. docs/user/evals.md lists the keys of a suite and the shapes that are read.',
  },
  E_INJECTION_NONE: {
    title: 'No attack to try',
    cause: 'No case of the suite fits --filter and --through.',
    fix: 'Name other kinds or another part of the name of a case, such as encoded or team/.',
  },
  E_INJECTION_STAGE: {
    title: 'A take of an injection suite could not be set up',
    cause: 'Its folder below CUEBOOK_HOME cannot be written, or the run ended before a model was asked.',
    fix: 'Look whether the disk is full and who owns CUEBOOK_HOME, then run the same command again: it continues.',
  },
  E_INJECTION_PROJECT: {
    title: 'The project is too large to be copied for each take',
    cause:
      'A suite names an agent of the project, and each take is made in a copy of it, so that nothing of it is touched.',
    fix: 'Put what the agents do not need into a folder that is ignored (node_modules, .git), or try them in a smaller project.',
  },
  E_INJECTION_PROGRAM: {
    title: 'An agent with tools of its own is not tried with attacks',
    cause:
      'An agent of the project speaks through a program such as a CLI agent, which acts on this machine by itself: nobody could answer for its tools, and attacks are made to have it do something.',
    fix: 'Name an API with --provider, or in the nodes of the team; a team that stands in may be tried with a CLI agent: --injection built-in --through team.',
  },
  W_INJECTION_DROPPED: {
    title: 'A row of attack data is left out',
    cause:
      'It lacks what a case needs: words of the user, a place for the attack, or a call that shows its success.',
    fix: 'Complete the row, or go without it: everything else is tried.',
  },
  W_INJECTION_CHANGED: {
    title: 'Attack data is kept otherwise than it was',
    cause: 'The data decides by code, or not at all, what counts as useful or as a success.',
    fix: 'Write the suite with --save-suite, and state in it what must be called and said.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;
