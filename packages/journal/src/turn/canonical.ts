import type { JsonValue } from '@cuebook/prompt';
import { canonicalJson } from '../canonical-json.js';

/**
 * The one spelling of a JSON value (RFC 8785): what is hashed and signed. Throws for what JSON cannot hold,
 * half characters included; `toJson` first makes sure that it cannot.
 */
export const canonical = (value: JsonValue): string => canonicalJson(value);

/**
 * A value as JSON says it: undefined keys are gone and numbers that JSON cannot hold are null. Half characters,
 * which have no bytes, become U+FFFD, as they do on every wire.
 */
export const toJson = (value: unknown): JsonValue => JSON.parse(jsonText(value)) as JsonValue;

/** The text of `toJson`, with keys in the order that they have. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return /\\ud[89a-f]/i.test(text) ? text.replace(HALF, replaceHalf) : text;
}

/** JSON.stringify spells only half characters this way; an escaped backslash before it is somebody's own text. */
const HALF = /\\(?:\\|u[dD][89a-fA-F][0-9a-fA-F]{2})/g;
const replaceHalf = (found: string): string => (found === '\\\\' ? found : '\ufffd');
