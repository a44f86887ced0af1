/** The length in Unicode code points: what every limit on "characters" counts. */
export function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isPair = unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) at += 1;
    count += 1;
  }
  return count;
}
