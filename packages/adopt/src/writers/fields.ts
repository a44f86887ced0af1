/** Fields before a text, every text in double quotes: strict readers drop a file whose description holds a bare colon. */
export function printFields(fields: readonly (readonly [string, unknown])[], body: string): string {
  const lines = fields
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key}: ${printValue(value)}`);
  return `---\n${lines.join('\n')}\n---\n${body}`;
}

/** YAML in flow form is JSON; characters that YAML does not print are escaped. */
const printValue = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
