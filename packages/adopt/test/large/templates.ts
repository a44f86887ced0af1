import { chat, human, langfuse } from './entries.js';
import { FSTRING, HANDLEBARS, MUSTACHE, NUNJUCKS } from './languages.js';
import { json, type LargeFile } from './large-file.js';

/** Templates of every language, in the files of every format that has it. */
export const TEMPLATES: readonly LargeFile[] = [
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
