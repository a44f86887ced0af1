import { showInvisible } from '@cuebook/prompt';

/**
 * Text of agents and tools as a person can read it: sequences that move a terminal's cursor or change its colours are
 * gone, and characters that nobody sees, such as those that turn the direction of writing, are shown by their number.
 */
export const plain = (text: string): string => showInvisible(text.replace(TERMINAL, ''));

/** Control sequences, operating system commands and two-character escapes of terminals. */
const TERMINAL = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])/g;
