import { chat, human, lc } from './entries.js';
import { FSTRING } from './languages.js';
import { json, type LargeFile, list } from './large-file.js';

/** Manifests of LangChain. */
export const LANGCHAIN: readonly LargeFile[] = [
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
];
