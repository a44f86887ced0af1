import { confirm, isCancel, note, password, select, text, updateSettings } from '@clack/prompts';

// The end of input (Ctrl-D) is no answer, as Ctrl-C is none.
updateSettings({ aliases: { '\u0004': 'cancel' } });

/** The questions that a person at a terminal is asked. */
export { confirm, isCancel, note, password, select, text };
