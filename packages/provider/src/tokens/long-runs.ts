/**
 * The text cut inside runs that no ordinary text has. The tokenizer splits text into words and takes time
 * that grows with the square of a word's length: a run of 200,000 letters would take a minute. A count is
 * exact where no word, blank or row of slashes and line breaks is longer than `MAX_RUN`.
 */
export function cutLongRuns(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  const runs = { blank: 0, solid: 0, edge: 0 };
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isBlank =
      unit <= 32 || unit === 0x85 || unit === 0xa0 || (unit > 0x1fff && /\s/.test(text.charAt(at)));
    runs.blank = isBlank ? runs.blank + 1 : 0;
    runs.solid = isBlank ? 0 : runs.solid + 1;
    // Punctuation takes the slashes and line breaks behind it into its own word.
    runs.edge = unit === 10 || unit === 13 || unit === 47 ? runs.edge + 1 : 0;
    const isPairStart = unit >= 0xd800 && unit < 0xdc00;
    if (isPairStart || Math.max(runs.blank, runs.solid, runs.edge) < MAX_RUN) continue;
    parts.push(text.slice(start, at + 1));
    start = at + 1;
    runs.blank = 0;
    runs.solid = 0;
    runs.edge = 0;
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}

const MAX_RUN = 256;
