/**
 * The one spelling of a JSON value (RFC 8785): keys in the order of their UTF-16 units, no white space. Throws for what
 * JSON cannot hold: numbers that are not finite, half characters, functions, cycles, and what is deeper than the stack.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const known = spelled.get(value);
    if (known !== undefined) return known;
  }
  return spell(value);
}

/** Notes how a value is spelled that nobody changes any more. */
export function noteSpelling(value: object, text: string): void {
  spelled.set(value, text);
}

const spelled = new WeakMap<object, string>();

function spell(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return spellString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('A number that JSON cannot hold');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : spellObject(value);
    default:
      throw new TypeError('Not a JSON value');
  }
}

function spellString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('Half a character');
  return JSON.stringify(text);
}

function spellObject(value: object): string {
  if ('toJSON' in value && typeof value.toJSON === 'function') return spell(value.toJSON());
  if (Array.isArray(value)) return spellArray(value);
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (isAbsent(member)) continue;
    text += `${text === '' ? '' : ','}${spellString(key)}:${spell(member)}`;
  }
  return `{${text}}`;
}

function spellArray(values: readonly unknown[]): string {
  let text = '';
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    text += `${index === 0 ? '' : ','}${isAbsent(value) ? 'null' : spell(value)}`;
  }
  return `[${text}]`;
}

const isAbsent = (value: unknown): boolean => value === undefined || typeof value === 'symbol';
