/** Steps that people count in, in seconds. */
const STEPS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 21_600, 43_200,
];
const DAY = 86_400;

/** Where an axis over so many milliseconds has its marks: from 0 on, all the same distance apart, at most `most` of them. */
export function ticksOf(length: number, most = 6): readonly number[] {
  const seconds = Math.max(0, length) / 1_000;
  const isEnough = (step: number) => Math.floor(seconds / step) < most;
  const step = STEPS.find(isEnough) ?? DAY * Math.max(1, Math.ceil(seconds / DAY / (most - 1)));
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => Math.round(at * step * 1_000));
}

/** A mark in as few letters as it needs: `0`, `0.5 s`, `20 s`, `5 min`, `2 h`, `3 d`. */
export function tickWords(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds === 0) return '0';
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 3_600) return `${Number((seconds / 60).toFixed(1))} min`;
  return seconds < DAY
    ? `${Number((seconds / 3_600).toFixed(1))} h`
    : `${Number((seconds / DAY).toFixed(1))} d`;
}
