import * as clack from '@clack/prompts';

/** Takes the end of input (Ctrl-D) for no answer, as Ctrl-C is none. */
function endable<Ask>(ask: Ask): Ask {
  clack.updateSettings({ aliases: { '\u0004': 'cancel' } });
  return ask;
}

/** The questions that a person at a terminal is asked. */
export const confirm = endable(clack.confirm);
export const password = endable(clack.password);
export const select = endable(clack.select);
export const text = endable(clack.text);
export const { isCancel, note } = clack;
