import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComparisonDocument } from '@cuebook/eval';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  type ModelServer,
  type ScriptedStep,
  startModelServer,
} from '../../../../../test/model-server/index.js';
import { itInTurn as it } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const define = (kind: string, body: string): string =>
  `import { define${kind} } from '@cuebook/define';\nimport { z } from 'zod';\nexport default define${kind}({ ${body} });\n`;
/** A tool that leaves a line behind whenever it runs. */
const tool = (args: string, result: string): string =>
  `import { appendFileSync } from 'node:fs';\n${define(
    'Tool',
    `description: 'Does it', args: z.object({ ${args} }), variables: [{ name: 'LOG', type: 'text', required: true, description: 'A file' }], execute: async (state) => { appendFileSync(state.env('LOG'), 'ran\\n'); return { status: 'success', result: '${result}' }; }`,
  )}`;
const FILES = {
  'agents/models/fast.ts': define('Model', "name: 'fast', provider: 'compatible', model: 'model-1'"),
  'agents/prompts/clerk.ts': define(
    'Prompt',
    "name: 'clerk', toolDescription: 'Helps', model: 'fast', prompt: 'You help.\\nNever guess a note.', includeChat: true, tools: ['find_order', 'open_case', 'send_mail']",
  ),
  'agents/tools/find_order.ts': tool('order: z.string()', 'Found a lamp.'),
  'agents/tools/open_case.ts': tool('order: z.string(), note: z.string()', 'A case is open.'),
  'agents/tools/send_mail.ts': tool('to: z.string()', 'The mail is sent.'),
  'agents/agents/desk.ts': define('Agent', "name: 'desk', sideA: { prompt: 'clerk' }"),
  'tests/desk.test.yaml': `target: agent:desk
cases: [{ name: a, with: { input: x } }]
metrics: { told: { answer: { contains: all done } } }
`,
};

/** Three tools one after the other. Without the rule the second call has another argument. */
const agent: ScriptedStep = ({ text }) => {
  const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });
  if (!text.includes('Found a lamp.')) return { text: 'I look.', ...call('find_order', { order: 'A-17' }) };
  if (!text.includes('A case is open.'))
    return text.includes('Never guess')
      ? call(
          'open_case',
          text.length % 2 === 0 ? { order: 'A-17', note: 'broken' } : { note: 'broken', order: 'A-17' },
        )
      : call('open_case', { order: 'A-17', note: 'guessed' });
  if (!text.includes('The mail is sent.')) return call('send_mail', { to: 'desk' });
  return { text: 'It is all done.' };
};

describe('17: compare --through', () => {
  it('follows an agent by the record alone: another argument ends a take, which is counted and not scored, and no tool runs', async () => {
    const cwd = folderWith(FILES);
    server.script('through', Array<ScriptedStep>(100).fill(agent));
    const url = server.laneUrl('through');
    const env = { CUEBOOK_COMPATIBLE_URL: `${url}/v1`, CUEBOOK_COMPATIBLE_KEY: 'k' };
    const log = join(cwd, 'ran.log');
    const turns: string[] = [];
    for (const words of ['My lamp is broken.']) {
      const args = ['run', 'agent:desk', '--input', words, '--env', `LOG=${log}`, '--json'];
      const ran = await cuebook(args, { cwd, env });
      expect(ran.stderr + ran.stdout).toContain('all done');
      turns.push(`${(JSON.parse(ran.stdout) as { readonly run: string }).run}@1`);
    }
    const ran = readFileSync(log, 'utf8');
    expect(ran).toBe('ran\n'.repeat(3));
    const { requests } = server.lane('through');
    expect(requests).toHaveLength(4);
    const args = [
      ...['compare', ...turns, '--through', '--change', 'drop:obligation:"Never guess a note."'],
      ...['--metrics', 'tests/desk.test.yaml', '--provider', 'compatible', '--model', 'model-1', '--json'],
    ];
    const told = await cuebook(args, { cwd, env });
    expect(told.stderr).not.toContain('E_');
    const document = JSON.parse(told.stdout) as ComparisonDocument;
    expect(document).toMatchObject({
      verdict: 'open',
      diverged: { base: {}, candidate: { 2: 1 } },
      missing: { base: 0, candidate: 1, reasons: { 'diverged at step 2': 1 } },
      metrics: [{ name: 'told', base: { mean: 1 }, candidate: null }],
    });
    // The base has four answers, the candidate two: the second makes a call that is not on record.
    expect(requests).toHaveLength(4 + 4 + 2);
    expect(requests.map(({ refused }) => refused)).toEqual(requests.map(() => undefined));
    expect(readFileSync(log, 'utf8')).toBe(ran);
    // From the record alone, byte for byte; and again nobody is asked.
    expect((await cuebook(['compare', document.id, '--json'], { cwd })).stdout).toBe(told.stdout);
    expect((await cuebook(args, { cwd, env })).stdout).toBe(told.stdout);
    expect(requests).toHaveLength(10);
    const text = await cuebook(['compare', document.id], { cwd });
    expect(text.stdout).toContain('diverged from the record: base 0, candidate 1 (1 at step 2)');
  });

  it('wants turns on record', async () => {
    const cwd = folderWith({
      'sheets/a.yaml': 'title: A\nblocks: [{ name: a, role: system, parts: [{ text: "Be kind." }] }]\n',
      'tests/a.test.yaml': 'target: sheet:a\ntakes: 1\ncases: [{ name: a, answer: { contains: x } }]\n',
    });
    const told = await cuebook(['compare', '--through', '--change', 'drop:block:a', '--plan'], { cwd });
    expect([told.code, told.stderr]).toEqual([2, expect.stringContaining('--through')]);
  });
});
