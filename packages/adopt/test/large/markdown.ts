import { list } from './large-file.js';

/** Texts of Markdown that grow, with what tools act on in them. */
export const MARKDOWN: Readonly<Record<string, (n: number) => string>> = {
  lines: (n) => '- rule of words\n'.repeat(n),
  imports: (n) => '@docs/a.md '.repeat(n),
  'many imports': (n) => list(n, (i) => `@docs/a${i}.md\n`).join(''),
  mails: (n) => 'a@b '.repeat(n),
  'back quotes': (n) => '` '.repeat(n),
  'runs of back quotes': (n) => list(Math.ceil(Math.sqrt(2 * n)), (i) => '`'.repeat(i)).join(' '),
  'fences that open': (n) => '```\n'.repeat(n),
  'fences of all lengths': (n) => list(Math.ceil(Math.sqrt(2 * n)), (i) => '`'.repeat(i + 3)).join('\n'),
  commands: (n) => '!`x` '.repeat(n),
  arguments: (n) => '$ARGUMENTS $1 $ARGUMENTS[0] '.repeat(n),
  comments: (n) => '<!-- c -->\n'.repeat(n),
  'comments that open': (n) => '<!-- '.repeat(n),
  dashes: (n) => '---\n'.repeat(n),
  regions: (n) => '<!-- cuebook:begin a sha256:0 -->\n'.repeat(n),
  blanks: (n) => `${' '.repeat(n)}x`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a placeholder of an editor.
  placeholders: (n) => '{{args}} !{x} @{y} ${input:a:b} '.repeat(n),
  'placeholders that open': (n) => '${input:'.repeat(n),
  'placeholders in each other': (n) => `${'${input:'.repeat(n)}${'}'.repeat(n)}`,
  'beyond the first plane': (n) => '😀 @docs/a.md $1 '.repeat(n),
  'escaped arguments': (n) => '\\$1 \\\\$ARGUMENTS '.repeat(n),
  'commands that open': (n) => '!` '.repeat(n),
  'commands that run': (n) => '```!\nls\n```\n'.repeat(n),
  braces: (n) => '!{'.repeat(n),
  links: (n) => '[a](b.md) #file:x #tool:y '.repeat(n),
};
