import { langfuse } from './entries.js';
import { json, type LargeFile, list } from './large-file.js';

/** Files of Langfuse. */
export const LANGFUSE: readonly LargeFile[] = [
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
];
