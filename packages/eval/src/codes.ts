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
    fix: 'PlannedLook with explain where the words come from, and name that file, lines, block or obligation.',
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
} as const satisfies Readonly<Record<string, CodeEntry>>;
