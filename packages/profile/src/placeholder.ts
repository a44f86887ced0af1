/** A placeholder of another template language, and what to do about it. */
export interface Placeholder {
  /** Where it begins in the text, in UTF-16 units. */
  readonly at: number;
  readonly message: string;
}

/** Placeholders of one text that are told. */
const MAX_TOLD = 20;

/**
 * Placeholders that no part of Cuebook fills in, where they are very likely meant to be filled in: in prose, not in
 * code, which may well be about such languages. `inputs` are the names that the author knows of, `fix` what to do.
 */
export function findPlaceholders(
  text: string,
  { inputs = [], fix }: { readonly inputs?: readonly string[]; readonly fix?: string | undefined } = {},
): readonly Placeholder[] {
  if (!/[{$<]/.test(text)) return [];
  const isCode = codeRanges(text);
  const found: Placeholder[] = [];
  const names = new Set(inputs);
  for (const match of text.matchAll(ANY)) {
    const language = languageOf(match, text, names);
    if (language === undefined || isCode(match.index)) continue;
    found.push({ at: match.index, message: describe(match, language, names, fix) });
    if (found.length === MAX_TOLD) break;
  }
  return found;
}

/** Whether a text begins with settings between two lines of dashes, as Markdown files of other tools do. */
export function hasFrontmatter(text: string): boolean {
  const found = /^\ufeff?---[ \t]*\r?\n((?:[^\n]*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text);
  const lines = (found?.[1] ?? '').split('\n').filter((line) => line.trim() !== '');
  if (found === null || lines.length === 0) return false;
  // Settings are keys with values, lists and what is indented below them; a rule above a paragraph is none.
  const isSetting = (line: string): boolean => /^(?:[A-Za-z_][\w .-]*:(?:\s|$)|\s+\S|- |#)/.test(line);
  return lines.every(isSetting) && lines.some((line) => /^[A-Za-z_][\w .-]*:(?:\s|$)/.test(line));
}

const PATH = String.raw`[A-Za-z_][\w-]{0,60}(?:\.[\w-]{1,60}|\[\w{1,20}\]){0,8}`;

const ANY = new RegExp(
  [
    // Mustache, Handlebars, Jinja, Go: {{name}}, {{{name}}}, {{#if x}}, {{/if}}, {{> part}}, {{ x | filter }}, {{.Name}}
    String.raw`(?<mustache>\{\{\{?[~&-]?\s*(?:(?<sign>[#/^>!])\s*)?(?<name>\.?${PATH}|else)(?<rest>[^{}\n]{0,120}?)[~-]?\}?\}\})`,
    // Jinja, Nunjucks, Liquid: {% if x %}
    String.raw`(?<jinja>\{%[-+]?\s*(?:if|elif|elsif|else|endif|for|endfor|unless|endunless|include|extends|block|endblock|set|assign|macro|endmacro|raw|endraw|capture|case|when|role|chat)\b[^{}\n]{0,200}?[-+]?%\})`,
    // ERB, EJS: <%= x %>
    String.raw`(?<erb><%[=-]?\s*[A-Za-z_@][^<>\n]{0,200}?-?%>)`,
    // Template literals, shell: \${name}
    String.raw`(?<dollar>\$\{\s*(?<inner>${PATH})\s*\})`,
    // f-strings: {name}
    String.raw`(?<brace>\{(?<key>${PATH})\})`,
  ].join('|'),
  'g',
);

/** The language a match is of; undefined when it is more likely text. */
function languageOf(match: RegExpMatchArray, text: string, names: ReadonlySet<string>): string | undefined {
  const { mustache, jinja, erb, inner, key, sign, rest = '', name = '' } = match.groups ?? {};
  const at = match.index ?? 0;
  if (mustache !== undefined) {
    // \${{ }} is a language of builds; a word that others follow is a sentence or a map in braces.
    if (/[$\\%]/.test(text.charAt(at - 1)) || text.charAt(at - 1) === '{') return undefined;
    // An argument of a command of LaTeX.
    if (/\\[A-Za-z]+(?:\{+[^{}]*\}+)*$/.test(text.slice(Math.max(0, at - 40), at))) return undefined;
    if (sign === undefined && rest.trim() !== '' && !/^\s*\|/.test(rest) && !isHelper(name, rest))
      return undefined;
    return 'Handlebars and Jinja';
  }
  if (jinja !== undefined) return 'Jinja and Liquid';
  if (erb !== undefined) return 'ERB and EJS';
  if (inner !== undefined) {
    if (/[$\\]/.test(text.charAt(at - 1))) return undefined;
    // A name in capitals is a variable of the environment.
    return names.has(inner) || !/^[A-Z0-9_]+$/.test(inner) ? 'template literals' : undefined;
  }
  // Braces stand for many things: only the name of an input is surely meant.
  return key !== undefined && names.has(key) && text.charAt(at - 1) !== '{' ? 'f-strings' : undefined;
}

const isHelper = (name: string, rest: string): boolean =>
  /^(?:if|unless|each|with|range|include|template|block|define|printf|else|end|json|role|media|history)$/.test(
    name,
  ) && /^\s/.test(rest);

function describe(
  { 0: whole, groups = {} }: RegExpMatchArray,
  language: string,
  names: ReadonlySet<string>,
  fix = 'Declare an input and put it in with a part of its own, or write it as `code` if the model is to see it',
): string {
  const meant = [groups.name, groups.inner, groups.key].find((each) => each !== undefined && names.has(each));
  const shown = whole.length > 40 ? `${whole.slice(0, 40)}…` : whole;
  const what = meant === undefined ? fix : `Write a part of its own in its place: input: ${meant}`;
  return `${JSON.stringify(shown)} looks like a placeholder of ${language}, and is told to the model as it stands. ${what}`;
}

/** Whether a character stands in code of Markdown: a fenced block, an indented one, or between backticks. */
function codeRanges(text: string): (at: number) => boolean {
  const ranges: (readonly [number, number])[] = [];
  let start = 0;
  let fence: { readonly mark: string; readonly from: number } | undefined;
  for (const line of text.split('\n')) {
    const mark = /^\s{0,12}(?:[-*+>]\s+|\d+[.)]\s+)*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = { mark, from: start };
    else if (fence !== undefined && mark?.startsWith(fence.mark)) {
      ranges.push([fence.from, start + line.length]);
      fence = undefined;
    } else if (fence === undefined) {
      for (const [from, to] of codeSpans(line)) ranges.push([start + from, start + to]);
      if (/^(?: {4}|\t)\s*\S/.test(line) && isApart(text, start)) ranges.push([start, start + line.length]);
    }
    start += line.length + 1;
  }
  if (fence !== undefined) ranges.push([fence.from, text.length]);
  let next = 0;
  return (at) => {
    while (next < ranges.length && (ranges[next] as readonly [number, number])[1] <= at) next += 1;
    const range = ranges[next];
    return range !== undefined && range[0] <= at;
  };
}

/** Code between runs of backticks of one length. */
function codeSpans(line: string): readonly (readonly [number, number])[] {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({ length: run.length, index }));
  const spans: (readonly [number, number])[] = [];
  // By length, the runs that may still close one: each is looked at once.
  const byLength = new Map<number, number[]>();
  for (const [at, { length }] of runs.entries()) {
    const list = byLength.get(length);
    if (list === undefined) byLength.set(length, [at]);
    else list.push(at);
  }
  for (let at = 0; at < runs.length; at += 1) {
    const { length, index } = runs[at] as (typeof runs)[number];
    const list = byLength.get(length) as number[];
    while ((list[0] ?? Number.POSITIVE_INFINITY) <= at) list.shift();
    const [close] = list;
    if (close === undefined) continue;
    spans.push([index, (runs[close] as (typeof runs)[number]).index + length]);
    at = close;
  }
  return spans;
}

/** An indented line is code when the line before it is blank or indented too. */
function isApart(text: string, start: number): boolean {
  if (start === 0) return true;
  const before = text.slice(text.lastIndexOf('\n', start - 2) + 1, start - 1);
  return before.trim() === '' || /^(?: {4}|\t)/.test(before);
}
