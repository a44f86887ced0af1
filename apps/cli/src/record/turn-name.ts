/** Whether a word names a turn on record (`RUN@TURN`, or a run, whose newest turn it stands for) and no target. */
export const isTurnName = (text: string | undefined): text is string =>
  text !== undefined && !text.includes(':') && (text.includes('@') || text.startsWith('run_'));
