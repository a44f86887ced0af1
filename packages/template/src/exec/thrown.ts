/** What something thrown says, whatever it is: data and functions may throw anything. */
export function wordsOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'something was thrown that cannot be shown';
  }
}
