/** A verdict as a person reads it: never a colour alone. */
export const VERDICTS = {
  better: { words: 'better', sign: '▲', tone: 'good' },
  worse: { words: 'worse', sign: '▼', tone: 'bad' },
  'no-worse': { words: 'no worse', sign: '=', tone: 'good' },
  open: { words: 'open', sign: '○', tone: 'quiet' },
} as const;

/** `.871`. */
export const shown = (value: number): string =>
  value
    .toFixed(3)
    .replace(/^(-?)0\./u, '$1.')
    .replace(/^-(\.0+)$/u, '$1');

/** `+.022`. */
export const signed = (value: number): string => (value > 0 ? `+${shown(value)}` : shown(value));
