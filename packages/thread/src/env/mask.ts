import { guarded } from '@cuebook/guard';
import { createRedactor, type JsonValue, type Redactor, type Replacement } from '@cuebook/prompt';

/** Takes the values of secret variables out of whatever is about to be kept or told. */
export interface Mask {
  readonly text: (text: string) => string;
  readonly value: <T>(value: T) => T;
  /** The longest spelling of a secret that is looked for; 0 without secrets. */
  readonly reach: number;
  /** What must not be told, in a text that goes on: replacements so far. */
  readonly find: (text: string) => readonly Replacement[];
}

/** What stands where a secret was. */
export const MASKED = '[removed:credential]';

/** The shortest secret that can be looked for: shorter ones would be found in every other word. */
export const SHORTEST_SECRET = 4;

export function createMask(secrets: readonly string[]): Mask {
  if (secrets.length === 0) return NO_MASK;
  const redactor = createRedactor({ roots: [], private: [], names: [], credentials: secrets });
  const longest = Math.max(...secrets.map((secret) => secret.length));
  const text = (given: string): string => maskText(redactor, given);
  return {
    text: (given) => guarded('secret.text', text, given),
    value: (given) =>
      guarded('secret.value', (value) => mapText(value as JsonValue, text) as typeof given, given),
    reach: longest * ENCODED_GROWTH + 8,
    find: (given) => redactor.find(given).filter(({ known }) => known),
  };
}

const NO_MASK: Mask = { text: (text) => text, value: (value) => value, reach: 0, find: () => [] };

/** A character of a secret may be spelled with as many: `\u0041`, or six for a percent-encoded one. */
const ENCODED_GROWTH = 6;

/** Only what is known is removed: what merely looks like a credential is the request's business. */
function maskText(redactor: Redactor, given: string): string {
  let text = given;
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = redactor.find(text).filter(({ known }) => known);
    if (found.length === 0) break;
    text = applyAll(text, found);
  }
  return redactor.leaks(text).length === 0 ? text : MASKED;
}

const ROUNDS = 4;

export function applyAll(text: string, replacements: readonly Replacement[]): string {
  let at = 0;
  let clean = '';
  for (const { start, end, text: instead } of replacements) {
    clean += text.slice(at, start) + instead;
    at = end;
  }
  return clean + text.slice(at);
}

function mapText(value: JsonValue, text: (text: string) => string): JsonValue {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: JsonValue) => mapText(each, text));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [text(key), mapText(each as JsonValue, text)]),
  );
}
