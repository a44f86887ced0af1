import type { JsonValue } from '@cuebook/prompt';

/** A JSON object from outside: nothing in it is certain. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What was parsed from JSON is JSON; what was not there is null. */
export const jsonOf = (value: unknown): JsonValue => (value === undefined ? null : (value as JsonValue));

/** One line of a program's output as an object; undefined for anything else. */
export function parseLine(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined; // Not JSON: the caller counts such lines.
  }
}

export const asFields = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined);

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** A count of tokens: never negative, never a fraction. */
export const asCount = (value: unknown): number => Math.max(0, Math.trunc(asNumber(value) ?? 0));

/** The objects of a list; what is none is left out. */
export const objectsOf = (value: unknown): readonly Fields[] => listOf(value).filter(isFields);
