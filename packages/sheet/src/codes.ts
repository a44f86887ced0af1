import type { CodeEntry } from '@cuebook/prompt';

/** The codes of sheets. */
export const SHEET_CODES = {
  E_SHEET: {
    title: 'A sheet or text that does not fit',
    cause:
      'The file is not valid YAML, or a key or value in it is not one that a sheet has; the message names the place.',
    fix: 'Correct the place that the message names. docs/user/sheets.md lists every key.',
  },
  E_SHEET_INPUT: {
    title: 'An input that is not declared',
    cause: 'A part names an input that the sheet does not declare, so its trust is unknown.',
    fix: 'Declare it under `inputs` with trust, secrecy and volatility, or correct the name.',
  },
  E_INPUT_SHAPE: {
    title: 'An input that does not fit its shape',
    cause:
      'The value is longer than its line, has a line break or a hidden character, does not match its pattern, is none of its choices, or would read as structure where it stands.',
    fix: 'Hand in a value that fits. If such values are right, widen the shape, or set `otherwise: fence`.',
  },
  W_SHEET_INPUT_UNUSED: {
    title: 'An input that nothing uses',
    cause: 'The sheet declares an input and no block holds it.',
    fix: 'Use it in a block, or remove the declaration.',
  },
  W_SHEET_NUMBER: {
    title: 'A number that changes when it is read',
    cause:
      'The number has more digits than JavaScript holds, so another number is sent than the one that is written.',
    fix: 'Write the number with at most 15 digits, or in quotes where the model takes a text.',
  },
  W_SHEET_EMPTY: {
    title: 'A block without text',
    cause: 'Every part of a block is an empty text, so the block tells the model nothing.',
    fix: 'Write its text, or remove the block.',
  },
  E_TEXT_TWICE: {
    title: 'Two files for one text',
    cause: 'A text of this name is there as `.md` and as `.yaml`, and nothing says which is meant.',
    fix: 'Keep one of the two files.',
  },
} as const satisfies Record<string, CodeEntry>;
