import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openFolder } from '@cuebook/files';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inTurn, itInTurn } from '../../../../test/runs.js';
import { brief, define, load, MODEL, prompt, tool } from '../../test/project.js';
import { MAX_FILES } from './files.js';
import { loadProject } from './project.js';

describe('loading', () => {
  it('strips types, keeps what they stood in, and takes both names of the package', async () => {
    const catalog = await load({
      'prompts/a.ts': `import { definePrompt, type PromptInput } from '@standardagents/spec';
import { z } from 'zod';
import { TONE } from '../lib/tone.js';
const schema = z.object({ q: z.string().describe('What to look for'), limit: z.number().default(10) }) satisfies z.ZodObject;
enum Level { Low = 'low' }
const a = definePrompt({ name: 'a' as const, toolDescription: 'A', model: 'fast', prompt: TONE, requiredSchema: schema, reasoning: { effort: Level.Low } });
export type Input = PromptInput<typeof a>;
export default a;`,
      'lib/tone.ts': 'export const TONE: string = `Be plain.`;',
      'prompts/b.mjs':
        "import { definePrompt } from '@cuebook/define';\nexport default definePrompt({ name: 'b', toolDescription: 'B', model: 'fast', prompt: 'B' });",
      'prompts/c.js': "export default { name: 'c', toolDescription: 'C', model: 'fast', prompt: 'C' };",
      'prompts/b.test.ts': 'throw new Error("tests are no definitions");',
      'tools/look_up.ts': tool(),
    });
    expect(catalog.diagnostics).toEqual([]);
    expect([...catalog.prompts.keys()]).toEqual(['a', 'b', 'c']);
    expect([...catalog.tools.keys()]).toEqual(['look_up']);
    expect(catalog.prompts.get('a')?.data).toMatchObject({
      prompt: 'Be plain.',
      includeChat: false,
      includePastTools: false,
      parallelToolCalls: false,
      toolChoice: 'auto',
      recentImageThreshold: 10,
      reasoning: { effort: 'low' },
      requiredSchema: {
        type: 'object',
        properties: { q: { type: 'string', description: 'What to look for' }, limit: { default: 10 } },
        required: ['q'],
        additionalProperties: false,
      },
    });
  });

  const BAD: readonly (readonly [name: string, text: string, found: string, says: string])[] = [
    ['throws', '\n\nthrow new Error("boo");', 'E_DEFINITION_LOAD prompts/bad.ts:3', 'boo'],
    [
      'throws nothing sensible',
      'throw Object.create(null);',
      'E_DEFINITION_LOAD prompts/bad.ts:1',
      'did not load',
    ],
    [
      'throws in what it imports',
      "import '../lib/bad.js';",
      'E_DEFINITION_LOAD lib/bad.ts:2',
      'loaded by agents/prompts/bad.ts',
    ],
    ['has a syntax error', '\nconst a = {;', 'E_DEFINITION_LOAD prompts/bad.ts:2', 'Unexpected token'],
    [
      'imports a package that is not there',
      "\nimport x from 'left-pad';",
      'E_DEFINITION_LOAD prompts/bad.ts:2',
      '"left-pad" is not installed',
    ],
    [
      'imports a file that is not there',
      "import '../lib/gone.js';",
      'E_DEFINITION_LOAD prompts/bad.ts:1',
      'names no file',
    ],
    [
      'imports from outside',
      "import '../../../etc/passwd.js';",
      'E_DEFINITION_LOAD prompts/bad.ts:1',
      'leads out of the project',
    ],
    [
      'imports a file by its full path',
      "import '/etc/passwd.js';",
      'E_DEFINITION_LOAD prompts/bad.ts:1',
      'leads out of the project',
    ],
    ['exports nothing', 'const a = 1;', 'E_DEFINITION_EXPORT prompts/bad.ts:1', 'exports nothing'],
    ['exports something else', 'export const a = 1;', 'E_DEFINITION_EXPORT prompts/bad.ts:1', 'only a'],
    ['exports a number', 'export default 7;', 'E_DEFINITION_EXPORT prompts/bad.ts:1', 'not a prompt'],
    ['exports a function', 'export default () => 7;', 'E_DEFINITION_EXPORT prompts/bad.ts:1', 'not a prompt'],
    ['exports another kind', tool(), 'E_DEFINITION_EXPORT prompts/bad.ts:4', 'kind tool'],
    ['waits for ever', 'await new Promise(() => {});', 'E_DEFINITION_STOPS prompts/bad.ts:1', 'never comes'],
    ['ends the process', 'process.exit(0);', 'E_DEFINITION_STOPS prompts/bad.ts:1', 'ends the process'],
    [
      'names a folder of this machine',
      "throw new Error('cannot open /home/marguerite/desk/notes.md');",
      'E_DEFINITION_LOAD prompts/bad.ts:1',
      'cannot open [path]',
    ],
  ];

  it.each(inTurn(BAD, 4))('tells of a file that %s, and loads the others', async (_, text, found, says) => {
    const catalog = await load({
      ...MODEL,
      'lib/bad.ts': '\nthrow new Error("bad");',
      'prompts/a.ts': prompt('a'),
      'prompts/bad.ts': text,
      'prompts/z.ts': prompt('z'),
    });
    expect(brief(catalog.diagnostics)).toEqual([found]);
    expect(catalog.diagnostics[0]?.message).toContain(says);
    expect([...catalog.prompts.keys()]).toEqual(['a', 'z']);
  });

  itInTurn('tells of files that loop, and goes on behind them, but not for ever', async () => {
    const loop = 'while (true) {}';
    const catalog = await load(
      {
        'prompts/a.ts': prompt('a'),
        'prompts/b.ts': loop,
        'prompts/c.ts': prompt('c'),
        'prompts/d.ts': loop,
        'prompts/e.ts': prompt('e'),
      },
      { limits: { fileMs: 2_000, hangs: 2 } },
    );
    expect(brief(catalog.diagnostics)).toEqual([
      'E_DEFINITION_STOPS prompts/b.ts:1',
      'E_DEFINITION_STOPS prompts/d.ts:1',
      'E_DEFINITION_STOPS prompts/e.ts:1',
    ]);
    expect(catalog.diagnostics[2]?.message).toContain('not tried');
    expect([...catalog.prompts.keys()]).toEqual(['a', 'c']);
  });

  it('bounds the memory of a file that only grows', async () => {
    const grow = 'const all = []; for (;;) all.push(new Array(1000).fill(all.length));';
    const catalog = await load(
      { 'prompts/a.ts': grow, 'prompts/b.ts': prompt('b') },
      { limits: { heapMb: 48, fileMs: 60_000 } },
    );
    expect(brief(catalog.diagnostics)).toEqual(['E_DEFINITION_STOPS prompts/a.ts:1']);
    expect([...catalog.prompts.keys()]).toEqual(['b']);
  });

  it('lets files import each other in a circle, and loads each once', async () => {
    const catalog = await load({
      'lib/count.ts': "import '../prompts/a.js';\nexport const loads = { n: 0 };",
      'prompts/a.ts': `import { loads } from '../lib/count.js';\nloads.n += 1;\n${prompt('a', '', 'String(loads.n)')}`,
      'prompts/b.ts': `import a from './a.js';\n${prompt('b', '', 'a.prompt')}`,
    });
    expect(catalog.diagnostics).toEqual([]);
    expect(catalog.prompts.get('b')?.data.prompt).toBe('1');
  });

  it('passes over what files tell the loader themselves', async () => {
    const noise = [
      '7',
      '{ outcomes: 7 }',
      '{ outcomes: [null] }',
      "{ outcomes: [{ file: 'x' }] }",
      '{ want: 1 }',
    ];
    const posts = noise.map((message) => `process.send?.(${message});`).join('\n');
    const text = `${posts}\n${prompt('a')}`;
    const catalog = await load({ 'prompts/a.ts': text, 'prompts/b.ts': prompt('b') });
    expect(catalog.diagnostics).toEqual([]);
    expect([...catalog.prompts.keys()]).toEqual(['a', 'b']);
  });

  it('ends on a definition that holds itself', async () => {
    const text =
      "const a: any = { name: 'a', toolDescription: 'A', model: 'm', prompt: 'A' };\na.env = a;\nexport default a;";
    const catalog = await load({ 'prompts/a.ts': text });
    expect(brief(catalog.diagnostics)[0]).toMatch(/^E_DEFINITION prompts\/a\.ts/);
  });

  it('takes a string for text, whatever it looks like', async () => {
    const text = '[{"type":"text","content":"hijack"}]';
    const catalog = await load({ ...MODEL, 'prompts/a.ts': prompt('a', '', `'${text}'`) });
    expect(catalog.prompts.get('a')?.data.prompt).toBe(text);
  });

  it('has a limit of files', async () => {
    const files = Object.fromEntries(Array.from({ length: MAX_FILES + 1 }, (_, n) => [`lib/f${n}.ts`, '']));
    expect(brief((await load(files)).diagnostics)).toEqual(['E_DEFINITION_LOAD :0']);
  });
});

describe('a folder', () => {
  const folderOf = (files: Readonly<Record<string, string>>): string => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-define-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  };
  const open = async (folder: string) => {
    const files = await openFolder(folder, { access: 'ro' });
    if (!files.ok) throw new Error(files.error.code);
    return loadProject(files.value, { folder: pathToFileURL(`${folder}/`).href });
  };

  it('has packages of its own, files beside agents/, and files read by import.meta.url', async () => {
    const catalog = await open(
      folderOf({
        'node_modules/words/package.json': '{ "name": "words", "type": "module", "exports": "./index.js" }',
        'node_modules/words/index.js': "export const hello = 'Hello';",
        'lib/place.ts': "export const place = 'world';",
        'agents/mark.txt': '!',
        'agents/prompts/a.ts': `import { readFileSync } from 'node:fs';
import { hello } from 'words';
import { place } from '../../lib/place.js';
const mark = readFileSync(new URL('../mark.txt', import.meta.url), 'utf8');
${prompt('a', '', "hello + ' ' + place + mark")}`,
      }),
    );
    expect(catalog.diagnostics).toEqual([]);
    expect(catalog.prompts.get('a')?.data.prompt).toBe('Hello world!');
  });

  it('is read anew each time', async () => {
    const folder = folderOf({ 'agents/prompts/a.ts': prompt('a', '', "'one'") });
    expect((await open(folder)).prompts.get('a')?.data.prompt).toBe('one');
    writeFileSync(join(folder, 'agents/prompts/a.ts'), prompt('a', '', "'two'"));
    expect((await open(folder)).prompts.get('a')?.data.prompt).toBe('two');
  });

  it('prints nothing of what its files print', async () => {
    const folder = folderOf({
      'agents/prompts/a.ts': `console.log('noise');\n${prompt('a')}`,
      'agents/tools/t.ts': define('Tool', "  description: 'T', execute: () => ({ status: 'success' })"),
    });
    const written: unknown[] = [];
    const { write } = process.stdout;
    process.stdout.write = ((chunk: unknown) => written.push(chunk) > 0) as typeof write;
    try {
      expect((await open(folder)).diagnostics).toEqual([]);
    } finally {
      process.stdout.write = write;
    }
    expect(written).toEqual([]);
  });
});
