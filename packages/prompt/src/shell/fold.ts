/**
 * The line as a careless reader sees it: compatibility forms (full-width letters, ligatures) in their plain
 * shape, look-alike letters, dashes, slashes and braces made plain, invisible characters and outer white space gone.
 * Plain lines cost one scan.
 */
export function foldLine(line: string): string {
  if (isPlain(line)) return line.trim();
  return line
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(LOOK_ALIKE, (char) => LATIN[LOOK_ALIKES.indexOf(char)] as string)
    .replace(DASHES, '-')
    .replace(COLONS, ':')
    .replace(UNDERSCORES, '_')
    .replace(SPACES, ' ')
    .trim();
}

/** True for text of printable ASCII, tabs and line feeds alone: nothing in it is hidden or folds away. */
export const isPlain = (text: string): boolean => PLAIN.test(text);

const PLAIN = /^[\t\n\x20-\x7e]*$/;
const INVISIBLE =
  /[\u034f\p{Cf}\p{Variation_Selector}\u115f\u1160\u17b4\u17b5\u3164\uffa0\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/gu;
/** Letters of Cyrillic and Greek, and of older scripts, that are drawn as a Latin one. */
const LOOK_ALIKES = 'АВЕЅІЈКМНОРСТУХҮԌԚԜѴаеѕіјорсухһԁԛԝѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧοιυνᎪᎬᎻᏚᏟᎡᎢ';
const LATIN = 'ABESIJKMHOPCTYXYGQWVaesijopcyxhdqwvABEZHIKMNOPTYXoiuvAEHSCRT';
const LOOK_ALIKE = new RegExp(`[${LOOK_ALIKES}]`, 'g');
const DASHES = /[\p{Pd}\u2212\u2043\u02d7\u2500\u2501]/gu;
const COLONS = /[\u02d0\u0589\u05c3\u2236\ua789\ufe13]/gu;
const UNDERSCORES = /[\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f]/gu;
const SPACES = /[\p{Zs}\t]/gu;
