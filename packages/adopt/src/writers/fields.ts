/**
 * Fields before a text. A text of letters and harmless signs stands as a person would write it; any other is in double
 * quotes: strict readers drop a file whose description holds a bare colon.
 */
export function printFields(fields: readonly (readonly [string, unknown])[], body: string): string {
  const lines = fields
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key}: ${isPlain(value) ? value : printValue(value)}`);
  return `---\n${lines.join('\n')}\n---\n${body}`;
}

/** What every YAML reads as the same text without quotes. */
const isPlain = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[A-Za-z](?:[A-Za-z0-9 .,()/*_-]*[A-Za-z0-9.)])?$/.test(value) &&
  !/^(?:true|false|null|yes|no|on|off|y|n|nan|inf|\.nan|\.inf)$/i.test(value);

/** YAML in flow form is JSON; characters that YAML does not print are escaped. */
const printValue = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
