import type { ReadHow } from '../src/reader.js';

/** A file that grows with `n`, of one format. `files` stand beside it. */
export interface LargeFile {
  readonly reader: string;
  readonly what: string;
  readonly path: string;
  readonly text: (n: number) => string;
  readonly files?: (n: number) => Readonly<Record<string, string>>;
  /** How it is read, beside the files. */
  readonly how?: ReadHow;
}

const json = (value: unknown): string => JSON.stringify(value);
const list = <T>(n: number, each: (index: number) => T): readonly T[] =>
  Array.from({ length: n }, (_, index) => each(index));

/** Templates that grow, in the language of mustache; other languages have their own. */
const MUSTACHE: Readonly<Record<string, (n: number) => string>> = {
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
const FSTRING: Readonly<Record<string, (n: number) => string>> = {
  'one variable many times': (n) => '{a} '.repeat(n),
  'many variables': (n) => list(n, (i) => `{v${i}} `).join(''),
  'doubled braces': (n) => '{{}}'.repeat(n),
  'names that are none': (n) => '{a!r:>{w}} '.repeat(n),
  'braces that open': (n) => `{${' {'.repeat(n)}`,
};
const HANDLEBARS: Readonly<Record<string, (n: number) => string>> = {
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
const NUNJUCKS: Readonly<Record<string, (n: number) => string>> = {
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

const langfuse = (prompt: unknown, more: object = {}): object => ({
  name: 'p',
  version: 1,
  type: typeof prompt === 'string' ? 'text' : 'chat',
  prompt,
  config: {},
  tags: [],
  labels: ['production'],
  commitMessage: null,
  ...more,
});
const prompts = (id: string): readonly string[] => ['langchain_core', 'prompts', 'x', id];
const lc = (id: string, kwargs: object): object => ({ lc: 1, type: 'constructor', id: prompts(id), kwargs });
const human = (template: string, format: string): object =>
  lc('HumanMessagePromptTemplate', {
    prompt: lc('PromptTemplate', { input_variables: [], template_format: format, template }),
  });
const chat = (messages: readonly object[], more: object = {}): string =>
  json(lc('ChatPromptTemplate', { input_variables: [], messages, ...more }));

const TEMPLATES: readonly LargeFile[] = [
  ...Object.entries(MUSTACHE).flatMap(([what, make]): readonly LargeFile[] => [
    { reader: 'langfuse', what, path: 'lf.json', text: (n) => json([langfuse(make(n))]) },
    { reader: 'langchain', what, path: 'lc.json', text: (n) => chat([human(make(n), 'mustache')]) },
    {
      reader: 'github-models',
      what,
      path: 'p.prompt.yml',
      text: (n) => `messages:\n  - role: user\n    content: ${json(make(n))}\n`,
    },
    {
      reader: 'openai',
      what,
      path: 'o.json',
      text: (n) =>
        json({
          openai_prompt_id: 'pmpt_1',
          name: 's',
          production_version: '1',
          versions: [{ version: '1', messages: [{ role: 'user', content: make(n) }], config: {} }],
        }),
    },
    { reader: 'dotprompt', what, path: 'p.prompt', text: (n) => `---\nmodel: m\n---\n${make(n)}` },
    { reader: 'promptfoo', what, path: 'promptfooconfig.yaml', text: (n) => json({ prompts: [make(n)] }) },
  ]),
  ...Object.entries(FSTRING).map(
    ([what, make]): LargeFile => ({
      reader: 'langchain',
      what: `f-string: ${what}`,
      path: 'lc.json',
      text: (n) => chat([human(make(n), 'f-string')]),
    }),
  ),
  ...Object.entries(HANDLEBARS).map(
    ([what, make]): LargeFile => ({
      reader: 'dotprompt',
      what: `Handlebars: ${what}`,
      path: 'p.prompt',
      text: (n) => `---\nmodel: m\n---\n${make(n)}`,
    }),
  ),
  ...Object.entries(NUNJUCKS).map(
    ([what, make]): LargeFile => ({
      reader: 'promptfoo',
      what: `Nunjucks: ${what}`,
      path: 'promptfooconfig.yaml',
      text: (n) => json({ prompts: [make(n)] }),
    }),
  ),
];

const MARKDOWN: Readonly<Record<string, (n: number) => string>> = {
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
const FRONT: Readonly<Record<string, (n: number) => string>> = {
  keys: (n) => list(n, (i) => `k${i}: v\n`).join(''),
  list: (n) => `tools:\n${'  - Read\n'.repeat(n)}`,
  'text list': (n) => `tools: ${'Read, '.repeat(n)}\n`,
  colons: (n) => `description: ${'a: '.repeat(n)}\n`,
  'bad lines': (n) => 'description: a: b\n'.repeat(n),
  flow: (n) => `x: ${'['.repeat(n)}\n`,
  aliases: (n) => `a: &a [x]\nb:\n${'  - *a\n'.repeat(n)}`,
};
const MARKDOWN_FILES: readonly (readonly [reader: string, path: string, front: boolean])[] = [
  ['claude', 'CLAUDE.md', false],
  ['claude', '.claude/agents/a.md', true],
  ['claude', '.claude/commands/a.md', true],
  ['agents-md', 'AGENTS.md', false],
  ['gemini', 'GEMINI.md', false],
  ['copilot', '.github/copilot-instructions.md', false],
  ['copilot', '.github/prompts/a.prompt.md', true],
  ['copilot', '.github/instructions/a.instructions.md', true],
  ['cursor', '.cursor/rules/a.mdc', true],
  ['skill', '.agents/skills/a/SKILL.md', true],
];
const INSTRUCTIONS: readonly LargeFile[] = MARKDOWN_FILES.flatMap(([reader, path, hasFront]) => [
  ...Object.entries(MARKDOWN).map(
    ([what, make]): LargeFile => ({
      reader,
      path,
      what: `${path}: ${what}`,
      text: (n) => `${hasFront ? '---\nname: a\ndescription: b\n---\n' : ''}${make(n)}`,
      files: (n) => ({
        'docs/a.md': 'words',
        ...(what === 'many imports' ? Object.fromEntries(list(n, (i) => [`docs/a${i}.md`, 'words'])) : {}),
      }),
    }),
  ),
  ...(hasFront
    ? Object.entries(FRONT).map(
        ([what, make]): LargeFile => ({
          reader,
          path,
          what: `${path}: fields: ${what}`,
          text: (n) => `---\nname: a\n${make(n)}---\nwords\n`,
        }),
      )
    : []),
]);

const TOML: Readonly<Record<string, (n: number) => string>> = {
  keys: (n) => list(n, (i) => `k${i} = "v"\n`).join(''),
  tables: (n) => list(n, (i) => `[t${i}]\nk = 1\n`).join(''),
  'dotted keys': (n) => list(n, (i) => `a.b${i} = 1\n`).join(''),
  'a deep key': (n) => `${'a.'.repeat(n)}b = 1\n`,
  'deep lists': (n) => `k = ${'['.repeat(n)}${']'.repeat(n)}\n`,
  'lists of tables': (n) => '[[t]]\nk = 1\n'.repeat(n),
  'an error at the end': (n) => `${'# c\n'.repeat(n)}k = [`,
};
const GEMINI: readonly LargeFile[] = [
  ...Object.entries(MARKDOWN).map(
    ([what, make]): LargeFile => ({
      reader: 'gemini',
      path: '.gemini/commands/a.toml',
      what: `command: ${what}`,
      text: (n) => `description = "x"\nprompt = ${json(make(n))}\n`,
    }),
  ),
  ...Object.entries(TOML).map(
    ([what, make]): LargeFile => ({
      reader: 'gemini',
      path: '.gemini/commands/a.toml',
      what: `command: TOML: ${what}`,
      text: (n) => `prompt = "words {{args}}"\n${make(n)}`,
    }),
  ),
];

const deep = (n: number): unknown =>
  Array.from({ length: Math.min(n, 400) }).reduce<unknown>((inner) => ({ a: inner }), 1);
const FILES: readonly LargeFile[] = [
  {
    reader: 'langfuse',
    what: 'prompts',
    path: 'lf.json',
    text: (n) => json(list(n, (i) => langfuse('Hi {{a}}', { name: `p${i}` }))),
  },
  {
    reader: 'langfuse',
    what: 'versions',
    path: 'lf.json',
    text: (n) => json(list(n, (i) => langfuse('Hi {{a}}', { version: i + 1, labels: [] }))),
    how: { all: true },
  },
  {
    reader: 'langfuse',
    what: 'prompts that refer to one',
    path: 'lf.json',
    text: (n) =>
      json([
        langfuse('rules', { name: 'r' }),
        ...list(n, (i) => langfuse('Hi @@@langfusePrompt:name=r|label=production@@@', { name: `p${i}` })),
      ]),
  },
  {
    reader: 'langfuse',
    what: 'prompts that refer to the next',
    path: 'lf.json',
    text: (n) =>
      json(
        list(n, (i) =>
          langfuse(i % 8 === 7 ? 'x' : `Hi @@@langfusePrompt:name=p${i + 1}|version=1@@@`, { name: `p${i}` }),
        ),
      ),
  },
  {
    reader: 'langfuse',
    what: 'prompts that refer to a missing one',
    path: 'lf.json',
    text: (n) =>
      json(list(n, (i) => langfuse('Hi @@@langfusePrompt:name=none|version=1@@@', { name: `p${i}` }))),
  },
  {
    reader: 'langfuse',
    what: 'references in a text',
    path: 'lf.json',
    text: (n) =>
      json([langfuse('rules', { name: 'r' }), langfuse('@@@langfusePrompt:name=r|version=1@@@ '.repeat(n))]),
  },
  {
    reader: 'langfuse',
    what: 'half references',
    path: 'lf.json',
    text: (n) => json([langfuse('@@@langfusePrompt:name='.repeat(n))]),
  },
  {
    reader: 'langfuse',
    what: 'messages',
    path: 'lf.json',
    text: (n) => json([langfuse(list(n, () => ({ role: 'user', content: 'Hi {{a}}' })))]),
  },
  {
    reader: 'langfuse',
    what: 'placeholders',
    path: 'lf.json',
    text: (n) => json([langfuse(list(n, (i) => ({ type: 'placeholder', name: `h${i}` })))]),
  },
  {
    reader: 'langfuse',
    what: 'labels',
    path: 'lf.json',
    text: (n) => json([langfuse('Hi', { labels: list(n, (i) => `l${i}`) })]),
  },
  {
    reader: 'langfuse',
    what: 'configuration',
    path: 'lf.json',
    text: (n) => json([langfuse('Hi', { config: Object.fromEntries(list(n, (i) => [`k${i}`, i])) })]),
  },
  {
    reader: 'langfuse',
    what: 'tools',
    path: 'lf.json',
    text: (n) =>
      json([
        langfuse('Hi', {
          config: {
            tools: list(n, (i) => ({
              type: 'function',
              function: { name: `t${i}`, parameters: { type: 'object' } },
            })),
          },
        }),
      ]),
  },
  {
    reader: 'langfuse',
    what: 'unknown keys',
    path: 'lf.json',
    text: (n) => json([langfuse('Hi', Object.fromEntries(list(n, (i) => [`k${i}`, i])))]),
  },
  {
    reader: 'langfuse',
    what: 'escapes',
    path: 'lf.json',
    text: (n) =>
      `[{"name":"p","version":1,"type":"text","labels":["production"],"prompt":"${'\\u00e9\\n'.repeat(n)}"}]`,
  },
  {
    reader: 'langfuse',
    what: 'lines between',
    path: 'lf.json',
    text: (n) => `[${'\n'.repeat(n)}${json(langfuse('{{#x'))}]`,
  },
  {
    reader: 'langchain',
    what: 'messages',
    path: 'lc.json',
    text: (n) => chat(list(n, () => human('Hi {a}', 'f-string'))),
  },
  {
    reader: 'langchain',
    what: 'placeholders',
    path: 'lc.json',
    text: (n) => chat(list(n, (i) => lc('MessagesPlaceholder', { variable_name: `h${i}` }))),
  },
  {
    reader: 'langchain',
    what: 'partial variables',
    path: 'lc.json',
    text: (n) =>
      chat([human(FSTRING['many variables']?.(n) ?? '', 'f-string')], {
        partial_variables: Object.fromEntries(list(n, (i) => [`v${i}`, 'x'])),
      }),
  },
  {
    reader: 'langchain',
    what: 'examples',
    path: 'lc.json',
    text: (n) =>
      json(
        lc('FewShotPromptTemplate', {
          examples: list(n, (i) => ({ q: `${i}`, a: 'x' })),
          example_prompt: lc('PromptTemplate', {
            template: '{q}{a}',
            template_format: 'f-string',
            input_variables: ['q', 'a'],
          }),
          prefix: 'p',
          suffix: '{x}',
          example_separator: '\n',
          input_variables: ['x'],
          template_format: 'f-string',
        }),
      ),
  },
  {
    reader: 'langchain',
    what: 'nested objects',
    path: 'lc.json',
    text: (n) =>
      json(
        Array.from({ length: Math.min(n, 90) }).reduce<object>(
          (inner) => lc('RunnableSequence', { first: inner, last: {} }),
          lc('PromptTemplate', { template: 'x' }),
        ),
      ),
  },
  {
    reader: 'openai',
    what: 'versions',
    path: 'o.json',
    text: (n) =>
      json({
        openai_prompt_id: 'pmpt_1',
        name: 's',
        production_version: '1',
        versions: list(n, (i) => ({
          version: String(i + 1),
          messages: [{ role: 'user', content: 'Hi {{a}}' }],
          config: {},
        })),
      }),
    how: { all: true },
  },
  {
    reader: 'openai',
    what: 'messages',
    path: 'o.json',
    text: (n) =>
      json({
        openai_prompt_id: 'pmpt_1',
        name: 's',
        production_version: '1',
        versions: [
          { version: '1', messages: list(n, () => ({ role: 'user', content: 'Hi {{a}}' })), config: {} },
        ],
      }),
  },
  {
    reader: 'openai',
    what: 'tools',
    path: 'o.json',
    text: (n) =>
      json({
        openai_prompt_id: 'pmpt_1',
        name: 's',
        production_version: '1',
        versions: [
          {
            version: '1',
            messages: [{ role: 'user', content: 'Hi' }],
            config: { tools: list(n, (i) => ({ type: 'function', name: `t${i}`, parameters: {} })) },
          },
        ],
      }),
  },
  {
    reader: 'openai',
    what: 'variables of a response',
    path: 'r.json',
    text: (n) =>
      json({
        object: 'response',
        instructions: [
          { role: 'user', content: [{ type: 'input_text', text: list(n, (i) => `⟦v${i}⟧ `).join('') }] },
        ],
        prompt: {
          id: 'pmpt_1',
          version: '1',
          variables: Object.fromEntries(list(n, (i) => [`v${i}`, `⟦v${i}⟧`])),
        },
      }),
  },
  { reader: 'mcp', what: 'prompts', path: 'm.json', text: (n) => mcp(n) },
  {
    reader: 'dotprompt',
    what: 'schema',
    path: 'p.prompt',
    text: (n) =>
      `---\ninput:\n  schema:\n${list(n, (i) => `    v${i}?: string, what it is\n`).join('')}---\n{{v0}}`,
  },
  {
    reader: 'dotprompt',
    what: 'schema deep',
    path: 'p.prompt',
    text: (n) => `---\ninput:\n  schema: ${json(deep(n / 10))}\n---\n{{a}}`,
  },
  {
    reader: 'dotprompt',
    what: 'tools',
    path: 'p.prompt',
    text: (n) => `---\ntools: [${list(n, (i) => `t${i}`).join(', ')}]\n---\nHi`,
  },
  {
    reader: 'dotprompt',
    what: 'partials',
    path: 'p.prompt',
    text: (n) => `---\nmodel: m\n---\n${list(n, (i) => `{{> p${i}}}`).join('\n')}`,
    files: (n) => Object.fromEntries(list(n, (i) => [`_p${i}.prompt`, 'words {{a}}\n'])),
  },
  {
    reader: 'dotprompt',
    what: 'one partial many times',
    path: 'p.prompt',
    text: (n) => `---\nmodel: m\n---\n${'  {{> p}}\n'.repeat(n)}`,
    files: () => ({ '_p.prompt': 'words {{a}}\nx\n' }),
  },
  {
    reader: 'dotprompt',
    what: 'partials that double',
    path: 'p.prompt',
    text: () => '---\nmodel: m\n---\n{{> p0}}',
    files: (n) =>
      Object.fromEntries(list(Math.min(n, 60), (i) => [`_p${i}.prompt`, `{{> p${i + 1}}}{{> p${i + 1}}}`])),
  },
  {
    reader: 'github-models',
    what: 'messages',
    path: 'p.prompt.yml',
    text: (n) => `messages:\n${'  - role: user\n    content: Hi {{a}}\n'.repeat(n)}`,
  },
  {
    reader: 'github-models',
    what: 'test data',
    path: 'p.prompt.yml',
    text: (n) =>
      `messages:\n  - role: user\n    content: Hi {{a}}\ntestData:\n${'  - a: b\n    expected: c\n'.repeat(n)}evaluators:\n  - name: x\n    string:\n      contains: c\n`,
  },
  {
    reader: 'github-models',
    what: 'evaluators',
    path: 'p.prompt.yml',
    text: (n) =>
      `messages:\n  - role: user\n    content: Hi {{a}}\ntestData:\n${'  - a: b\n    expected: c\n'.repeat(10)}evaluators:\n${'  - name: x\n    string:\n      contains: c\n'.repeat(n)}`,
  },
  {
    reader: 'promptfoo',
    what: 'prompts',
    path: 'promptfooconfig.yaml',
    text: (n) => json({ prompts: list(n, (i) => `Hi ${i} {{a}}`) }),
  },
  {
    reader: 'promptfoo',
    what: 'tests',
    path: 'promptfooconfig.yaml',
    text: (n) =>
      json({
        prompts: ['Hi {{a}}'],
        tests: list(n, (i) => ({ vars: { a: `x${i}` }, assert: [{ type: 'contains', value: 'y' }] })),
      }),
  },
  {
    reader: 'promptfoo',
    what: 'asserts',
    path: 'promptfooconfig.yaml',
    text: (n) =>
      json({
        prompts: ['Hi {{a}}'],
        tests: [{ vars: { a: 'x' }, assert: list(n, () => ({ type: 'similar', value: 'y' })) }],
      }),
  },
  {
    reader: 'promptfoo',
    what: 'variables',
    path: 'promptfooconfig.yaml',
    text: (n) =>
      json({ prompts: ['Hi {{a}}'], tests: [{ vars: Object.fromEntries(list(n, (i) => [`v${i}`, 'x'])) }] }),
  },
];

function mcp(n: number): string {
  return json({ prompts: list(n, (i) => ({ name: `p${i}`, arguments: [{ name: 'a' }] })) });
}

/** Files of every format, each in shapes that grow. */
export const LARGE_FILES: readonly LargeFile[] = [...TEMPLATES, ...INSTRUCTIONS, ...GEMINI, ...FILES];
