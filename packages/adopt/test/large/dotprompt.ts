import { json, type LargeFile, list } from './large-file.js';

const deep = (n: number): unknown =>
  Array.from({ length: Math.min(n, 400) }).reduce<unknown>((inner) => ({ a: inner }), 1);
/** Files of dotprompt. */
export const DOTPROMPT: readonly LargeFile[] = [
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
];
