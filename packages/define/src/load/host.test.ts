import { expect, it } from 'vitest';
import { DEFAULT_LIMITS, loadFiles } from './host.js';
it('x', async () => {
  const texts = new Map([
    ['agents/prompts/a.ts', "import { definePrompt, PromptInput } from '@standardagents/spec';\nimport { z } from 'zod';\nimport { x } from '../lib/x.js';\nenum Q { A }\nexport default definePrompt({ name: 'a', prompt: x, requiredSchema: z.object({ q: z.string().default('x').describe('d'), n: z.number() }) } satisfies object);"],
    ['agents/lib/x.ts', 'export const x: string = "hi";'],
    ['agents/prompts/b.ts', 'throw new Error("boo")'],
    ['agents/prompts/c.ts', 'let a = {;'],
    ['agents/prompts/c2.mjs', '\nlet a = {;'],
    ['agents/prompts/d.ts', 'export const a = 1;'],
    ['agents/prompts/e.ts', 'while (true) {}'],
    ['agents/prompts/f.ts', 'await new Promise(() => {});'],
    ['agents/prompts/g.ts', "import 'nope'; "],
    ['agents/prompts/h.ts', "import '../../../x.ts'; import '../lib/x.js'"],
    ['agents/prompts/i.ts', "import {q} from '../lib/x.js'; import './j.js'"],
    ['agents/prompts/j.ts', "import './i.js'; export default 3; console.log('noise')"],
    ['agents/prompts/k.ts', "import {x} from '../lib/x.js'; process.exit(3)"],
  ]);
  const t = performance.now();
  const r = await loadFiles({ texts, files: [...texts.keys()].filter((f) => f.includes('prompts/')), folder: undefined, read: async () => undefined, limits: { ...DEFAULT_LIMITS, fileMs: 800, hangs: 5 } });
  console.log(JSON.stringify(r, null, 1), performance.now() - t);
  expect(1).toBe(1);
});
