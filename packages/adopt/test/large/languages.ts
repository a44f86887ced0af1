import { list } from './large-file.js';

/** Templates that grow, in the language of mustache; other languages have their own. */
export const MUSTACHE: Readonly<Record<string, (n: number) => string>> = {
  'one variable many times': (n) => '{{a}} '.repeat(n),
  'many variables': (n) => list(n, (i) => `{{v${i}}} `).join(''),
  'many names that sheets do not have': (n) => list(n, (i) => `{{größe ${i}}} `).join(''),
  'many lines': (n) => 'line of words\n'.repeat(n),
  comments: (n) => '{{! c }}\n'.repeat(n),
  sections: (n) => '{{#a}}{{b}}{{/a}}'.repeat(n),
  'a variable deep inside': (n) =>
    `${list(20, (i) => `{{#s${i}}}`).join('')}${'{{b.c}}'.repeat(n)}${list(20, (i) => `{{/s${19 - i}}}`).join('')}`,
  'many variables deep inside': (n) =>
    `${list(20, (i) => `{{#s${i}}}`).join('')}${list(n, (i) => `{{v${i}}} `).join('')}${list(20, (i) => `{{/s${19 - i}}}`).join('')}`,
  'sections deep inside': (n) =>
    `${list(18, (i) => `{{#s${i}}}`).join('')}${'{{#b}}x{{/b}}'.repeat(n)}${list(18, (i) => `{{/s${17 - i}}}`).join('')}`,
  'sections that open': (n) => '{{#a}}'.repeat(n),
  'sections that close': (n) => '{{/a}}'.repeat(n),
  'tags that open': (n) => '{{'.repeat(n),
  braces: (n) => '{ } '.repeat(n),
  'closing braces': (n) => '}'.repeat(n),
  'blanks in a tag': (n) => `{{${' '.repeat(n)}a}}`,
  'blank lines': (n) => ' \n'.repeat(n),
  delimiters: (n) => '{{=<% %>=}}'.repeat(n),
  triples: (n) => '{{{a}}}'.repeat(n),
  'a long name': (n) => `{{${'a.'.repeat(n)}b}}`,
  'invisible characters': (n) => 'a\u202eb'.repeat(n),
};
export const FSTRING: Readonly<Record<string, (n: number) => string>> = {
  'one variable many times': (n) => '{a} '.repeat(n),
  'many variables': (n) => list(n, (i) => `{v${i}} `).join(''),
  'doubled braces': (n) => '{{}}'.repeat(n),
  'names that are none': (n) => '{a!r:>{w}} '.repeat(n),
  'braces that open': (n) => `{${' {'.repeat(n)}`,
};
export const HANDLEBARS: Readonly<Record<string, (n: number) => string>> = {
  conditions: (n) => '{{#if a}}{{b}}{{else}}c{{/if}}'.repeat(n),
  chains: (n) => `{{#if a}}${'{{else if a}}x'.repeat(n)}{{/if}}`,
  loops: (n) => '{{#each a}}{{this}}{{/each}}'.repeat(n),
  'loops deep inside': (n) => `${'{{#each a}}'.repeat(18)}${'{{this.b}}'.repeat(n)}${'{{/each}}'.repeat(18)}`,
  roles: (n) => '{{role "user"}}a\n{{role "model"}}b\n'.repeat(n),
  'roles without words': (n) => '{{role "user"}} '.repeat(n),
  histories: (n) => '{{history}}'.repeat(n),
  media: (n) => '{{media url=u}}'.repeat(n),
  escapes: (n) => '\\{{a}} '.repeat(n),
  backslashes: (n) => `${'\\'.repeat(n)}{{a}}`,
  helpers: (n) => '{{json a}}'.repeat(n),
  strips: (n) => '  {{~a~}}  \n'.repeat(n),
  'long comments': (n) => '{{!-- a }} --}}'.repeat(n),
  'blanks before lines': (n) => `${' '.repeat(n)}{{#if a}}x{{/if}}${'\t'.repeat(n)}x`,
  'raw blocks': (n) => '{{{{raw}}}}x{{{{/raw}}}}'.repeat(n),
  markers: (n) => '<<<dotprompt:role:system>>>'.repeat(n),
};
export const NUNJUCKS: Readonly<Record<string, (n: number) => string>> = {
  conditions: (n) => '{% if a %}{{ b }}{% else %}c{% endif %}'.repeat(n),
  chains: (n) => `{% if a %}${'{% elif a == "x" %}x'.repeat(n)}{% endif %}`,
  loops: (n) => '{% for x in a %}{{ x.y }}{{ loop.index }}{% endfor %}'.repeat(n),
  'loops deep inside': (n) =>
    `${'{% for x in a %}'.repeat(18)}${'{{ x.b }}'.repeat(n)}${'{% endfor %}'.repeat(18)}`,
  comments: (n) => '{# c #}\n'.repeat(n),
  'comments that open': (n) => '{# '.repeat(n),
  raw: (n) => '{% raw %}{{ a }}{% endraw %}'.repeat(n),
  filters: (n) => '{{ a | upper }}'.repeat(n),
  'not not': (n) => `{% if ${'not '.repeat(n)}a %}x{% endif %}`,
};
