import { parseTemplate } from '@cuebook/template';

/** Why a path cannot be included, in the words of Go: those that can are listed in order, the same every time. */
export function notIncluded(path: string, paths: Iterable<string>): string {
  const known = [...paths].sort(byBytes);
  const more = known.length > MAX_LISTED ? ` and ${known.length - MAX_LISTED} more` : '';
  return `prompt template ${quote(path)} not found in promptSources, available: [${known.slice(0, MAX_LISTED).join(' ')}]${more}`;
}

/** A text in quotes as Go writes it. */
function quote(text: string): string {
  const template = parseTemplate({ name: 'quote', text: '{{printf "%q" .}}' });
  const quoted = template.ok ? template.value.render(text) : undefined;
  return quoted?.ok === true ? quoted.value.text : JSON.stringify(text);
}

/** A list that goes on for longer helps nobody, and must not fill a log. */
const MAX_LISTED = 1_000;

/** The order of Go: by bytes of UTF-8, which is that of code points. */
function byBytes(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  for (let i = 0; i < Math.min(x.length, y.length); i += 1) {
    const step = (x[i]?.codePointAt(0) ?? 0) - (y[i]?.codePointAt(0) ?? 0);
    if (step !== 0) return step;
  }
  return x.length - y.length;
}
