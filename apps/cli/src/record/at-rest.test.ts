import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { homeBytes } from '../../../../test/home-bytes.js';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it, SEED } from '../../../../test/runs.js';
import { anyToken } from '../../../../test/tokens.js';
import { cuebook, folderWith, type Outcome } from '../../test/cuebook.js';
import { commitAll } from '../../test/git.js';
import { TEMPLATE } from '../init/template.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

const env = { PATH: process.env.PATH, HOME: '/nonexistent' };

/** Tokens of many families, another one for each place that words come in by. */
const [GOAL = '', TEXT = '', THOUGHT = '', INPUT = '', RESULT = '', SUMMARY = '', WORD = ''] = fc.sample(
  anyToken,
  {
    numRuns: 7,
    seed: SEED,
  },
);
const TOKENS = [GOAL, TEXT, THOUGHT, INPUT, RESULT, SUMMARY, WORD];

interface Desk {
  readonly cwd: string;
  call(...args: readonly string[]): Promise<Outcome>;
  /** Everything that was printed, every way to look at the record, and every byte of CUEBOOK_HOME. */
  looked(trace?: string): Promise<string>;
}

function desk(files: Readonly<Record<string, string>>): Desk {
  const cwd = folderWith(files);
  let printed = '';
  const call: Desk['call'] = async (...args) => {
    const outcome = await cuebook(args, { cwd, env });
    printed += outcome.stdout + outcome.stderr;
    return outcome;
  };
  return {
    cwd,
    call,
    async looked(trace) {
      const { runs } = JSON.parse((await call('runs', '--json')).stdout) as { runs: { run: string }[] };
      for (const { run } of runs) {
        await call('log', run);
        await call('log', run, '--json');
        await call('replay', `${run}@last`, '--json', '--reveal');
        await call('runs', 'export', run);
        expect(await call('verify', run)).toMatchObject({ code: 0 });
      }
      await call('runs');
      await call('approvals', '--json');
      if (trace !== undefined) printed += readFileSync(join(cwd, trace), 'utf8');
      return printed + homeBytes(join(cwd, '.cuebook'));
    },
  };
}

function expectClean(text: string): void {
  for (const token of TOKENS) {
    const encoded = Buffer.from(token).toString('base64').slice(0, 16);
    for (const part of [token, token.slice(0, 14), token.slice(-9), encoded]) {
      const at = text.indexOf(part);
      expect(at === -1 ? '' : text.slice(Math.max(0, at - 200), at + 60)).toBe('');
    }
  }
}

const lanes = (steps: Readonly<Record<string, readonly unknown[]>>): string =>
  JSON.stringify({ lanes: steps });

describe('a credential in a run is in no event, no view, no stream and no print', () => {
  it('of one turn', async () => {
    const { call, looked } = desk({
      ...TEMPLATE,
      'script.json': lanes({
        '*': [
          {
            reasoning: `I know ${THOUGHT}`,
            text: `Take ${TEXT}. And ${WORD}`,
            toolCalls: [{ name: 'read_file', args: { path: INPUT } }],
          },
        ],
      }),
    });
    const args = ['run', 'sheet:review', '--script', 'script.json', '--set', `change=with ${GOAL}`];
    expect(await call(...args, '--trace', 'trace.jsonl')).toMatchObject({ code: 0 });
    expect(await call(...args, '--json')).toMatchObject({ code: 0 });
    expectClean(await looked('trace.jsonl'));
  });

  it('of a thread, and the tool gets the real words', async () => {
    const { call, looked, cwd } = desk({
      'agents/models/fast.ts': `import { defineModel } from '@cuebook/define';
export default defineModel({ name: 'fast', provider: 'rehearsal', model: 'fast-1' });
`,
      'agents/prompts/clerk.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({
  name: 'clerk', toolDescription: 'Helps', model: 'fast', prompt: 'You help.', includeChat: true, tools: ['put'],
});
`,
      'agents/tools/put.ts': `import { writeFileSync } from 'node:fs';
import { defineTool } from '@cuebook/define';
import { z } from 'zod';
export default defineTool({
  description: 'Puts', args: z.object({ file: z.string(), words: z.string() }), idempotent: true,
  execute: async (state, { file, words }) => {
    writeFileSync(file, words);
    return { status: 'success', result: 'put, with ${RESULT}' };
  },
});
`,
      'agents/agents/desk.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'desk', sideA: { prompt: 'clerk' } });
`,
    });
    const { writeFileSync } = await import('node:fs');
    const args = { file: join(cwd, 'words.txt'), words: `key=${INPUT}` };
    const steps = [
      { reasoning: THOUGHT, text: `I take ${TEXT}`, toolCalls: [{ name: 'put', args }] },
      { text: `Done with ${SUMMARY}.` },
    ];
    writeFileSync(join(cwd, 'script.json'), lanes({ desk: steps }));
    const run = ['run', 'agent:desk', '--script', 'script.json', '--input', `Use ${GOAL} and ${WORD}`];
    expect(await call(...run, '--trace', 'trace.jsonl')).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'words.txt'), 'utf8')).toBe(`key=${INPUT}`);
    expectClean(await looked('trace.jsonl'));
  });

  it('of a workflow, and the file has the real words', async () => {
    const { call, looked, cwd } = desk({
      ...WORKFLOW_TEMPLATE,
      'script.json': lanes({
        '*': [
          { text: `Read ${TEXT}`, toolCalls: [{ name: 'fs.read', args: { path: '@pkg/steps/intake.md' } }] },
          {
            reasoning: THOUGHT,
            toolCalls: [
              { name: 'fs.write', args: { path: '@project/artifacts/key.txt', content: `key=${INPUT}\n` } },
              { name: 'fs.read', args: { path: '@project/given.txt' } },
              { name: 'ui.ask_user', args: { widgetId: 'x', type: 'text', message: `Is it ${SUMMARY}?` } },
            ],
          },
          { text: `So it is ${WORD}` },
        ],
      }),
      'given.txt': `given ${RESULT}\n`,
    });
    const run = ['run', 'workflow:workflows/request', '--script', 'script.json'];
    const first = await call(...run, '--input', `Please use ${GOAL}`, '--trace', 'trace.jsonl', '--json');
    expect(first.stdout).toContain('"waiting"');
    expect(readFileSync(join(cwd, 'artifacts/key.txt'), 'utf8')).toBe(`key=${INPUT}\n`);
    const { run: id } = JSON.parse(first.stdout) as { readonly run: string };
    await call(...run, '--run', id, '--answer', `it is ${WORD}`);
    expectClean(await looked('trace.jsonl'));
  });

  it('of a kind that a project adds, and its tool gets the real words', async () => {
    const { call, looked, cwd } = desk({
      'cuebook.yaml': `kinds: { ledger: ${join(ROOT, 'examples/kind-ledger/ledger.mjs')} }\n`,
      'ledgers/shop.md': 'You keep a ledger.\n',
      'script.json': lanes({
        '*': [
          { reasoning: THOUGHT, toolCalls: [{ name: 'remark', args: { line: `key=${INPUT}` } }] },
          { toolCalls: [{ name: 'book', args: { line: `deny ${TEXT}` } }] },
          { toolCalls: [{ name: 'book', args: { line: `allow ${RESULT}` } }] },
          { toolCalls: [{ name: 'remark', args: { line: `${SUMMARY} `.repeat(40), more: SUMMARY } }] },
          {
            toolCalls: [
              { name: SUMMARY, args: {} },
              { name: 'balance', args: {} },
            ],
          },
          { text: `Booked with ${WORD}.` },
        ],
      }),
    });
    const run = ['run', 'ledger:shop', '--script', 'script.json'];
    const first = await call(...run, '--input', `Book ${GOAL}`, '--json');
    expect(first.stdout).toContain('"waiting"');
    const waiting = async (): Promise<string> => {
      const { approvals } = JSON.parse((await call('approvals', '--json')).stdout) as {
        approvals: { id: string }[];
      };
      await call('approvals', 'show', approvals[0]?.id ?? '');
      return approvals[0]?.id ?? '';
    };
    expect(await call('approvals', 'deny', await waiting(), '--message', `Not ${WORD}`)).toMatchObject({
      code: 1,
    });
    await call('approvals', 'allow', await waiting());
    const book = readFileSync(join(cwd, 'book.txt'), 'utf8');
    expect(book.startsWith(`key=${INPUT}\nallow ${RESULT}\n`)).toBe(true);
    await call('run', `ledger:${GOAL}`, '--input', 'x', '--script', 'script.json');
    const { run: id } = JSON.parse(first.stdout) as { readonly run: string };
    await call('runs', 'label', id, `with ${WORD}`);
    await call('runs', 'message', id, `and ${TEXT}`);
    expectClean(await looked());
  });

  it('of a team, the file has the real words, and what is sealed can be erased', async () => {
    const say = (name: string, args: object) => JSON.stringify({ tool_call: { name, args } });
    const { call, looked, cwd } = desk({
      'cuebook.yaml': '{}\n',
      '.gitignore': '.cuebook/\n',
      'team.yaml': `goal: Deploy with ${GOAL}
nodes:
  - { alias: lead, label: Lead, role: orchestrator }
  - { alias: dev, label: Developer, role: implementer, permissions: { cliPermissionsMode: skip } }
edges:
  - { from: lead, to: dev }
  - { from: dev, to: lead, type: report, bidirectional: false }
`,
      'script.json': lanes({
        lead: [
          {
            reasoning: THOUGHT,
            text: `First ${TEXT}\n${say('send_handoff', { to: 'dev', message: `Write ${WORD} down.` })}`,
          },
          { text: `Good.\n${say('finish_run', { ok: true, summary: `It is ${SUMMARY}.` })}` },
        ],
        dev: [
          { text: say('write_file', { path: 'docs/key.txt', content: `key=${INPUT}\n` }) },
          {
            text: say('send_handoff', { to: 'lead', message: `Written: ${RESULT}` }),
            edits: [{ path: 'docs/more.txt', content: `more ${RESULT}\n` }],
          },
        ],
      }),
    });
    commitAll(cwd, 'Start');
    expect(await call('run', 'team:team.yaml', '--script', 'script.json')).toMatchObject({ code: 0 });
    expectClean(await looked());
    const { runs } = JSON.parse((await call('runs', '--json')).stdout) as { runs: { run: string }[] };
    const run = runs[0]?.run ?? '';
    expect(await call('runs', 'apply', run)).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'docs/key.txt'), 'utf8')).toBe(`key=${INPUT}\n`);
    expect(existsSync(join(cwd, '.cuebook/vault', run))).toBe(true);
    const erased = await call('runs', 'forget', run, '--sealed', 'all', '--by', 'Ada', '--json');
    expect(JSON.parse(erased.stdout)).toMatchObject({
      run,
      erased: expect.arrayContaining([expect.any(String)]),
    });
    expect(await call('verify', run)).toMatchObject({ code: 0 });
    expect(await call('runs', 'forget', run, '--sealed', '0'.repeat(32), '--by', 'Ada')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('E_FORGET_SEALED'),
    });
  });
});
