import fc from 'fast-check';

const chars = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });

const LOWER = 'abcdefghijkmnopqrstuvwyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '123456789';
/** Some of each, so that no draw looks like a placeholder or a word. */
const mixed = (length: number): fc.Arbitrary<string> =>
  fc
    .tuple(chars(UPPER, 3), chars(DIGITS, 7), chars(LOWER + UPPER + DIGITS, length - 10))
    .map(([upper, digits, rest]) => `${upper.slice(0, 2)}${digits}${rest}${upper.slice(2)}`);
const hex = (length: number): fc.Arbitrary<string> =>
  chars('23456789abcdef', length - 4).map((rest) => `7c1f${rest}`);

/** Credentials of many families, made up: none was ever issued. */
export const anyToken: fc.Arbitrary<string> = fc.oneof(
  ...(
    [
      ['sk-ant-api03-', 40],
      ['sk-proj-', 40],
      ['sk_live_', 24],
      ['ghp_', 36],
      ['github_pat_', 40],
      ['glpat-', 20],
      ['npm_', 36],
      ['hf_', 34],
      ['AIza', 35],
      ['dckr_pat_', 27],
    ] as const
  ).map(([prefix, length]) => mixed(length).map((rest) => `${prefix}${rest}`)),
  fc.tuple(chars(DIGITS, 12), mixed(24)).map(([digits, rest]) => `xoxb-${digits}-${rest}`),
  chars('ABCDEFGHJKLMNPQRSTUVWYZ23456789', 14).map((rest) => `AKIA7Q${rest}`),
  fc.tuple(mixed(24), mixed(30), mixed(32)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
  hex(64).map((rest) => `dop_v1_${rest}`),
);
