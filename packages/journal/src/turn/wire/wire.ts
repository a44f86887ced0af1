/** A receipt's words by their place instead of by name: names would be half of what a receipt costs. */
export type Wire = readonly unknown[];

/** What is rare goes last, by name; nothing when there is nothing. */
export const withRest = (rest: object): Wire => (Object.keys(rest).length === 0 ? [] : [rest]);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
