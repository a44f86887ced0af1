import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';

const PROJECT = {
  'agents/models/fast.ts': `import { defineModel } from '@cuebook/define';
export default defineModel({ name: 'fast', provider: 'rehearsal', model: 'fast-1' });
`,
  'agents/prompts/clerk.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({
  name: 'clerk', toolDescription: 'Helps', model: 'fast', prompt: 'You help.', includeChat: true,
  tools: ['look_up', 'pay'],
});
`,
  'agents/tools/look_up.ts': `import { defineTool } from '@cuebook/define';
import { z } from 'zod';
export default defineTool({
  description: 'Looks something up', args: z.object({ what: z.string().trim() }), idempotent: true,
  variables: [{ name: 'KEY', type: 'secret', required: true, description: 'The key' }],
  execute: async (state, { what }) => ({ status: 'success', result: what + ' with ' + state.env('KEY') }),
});
`,
  'agents/tools/pay.ts': `import { defineTool } from '@cuebook/define';
export default defineTool({ description: 'Pays', execute: async () => ({ status: 'success', result: 'paid' }) });
`,
  'agents/agents/desk.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'desk', sideA: { prompt: 'clerk' } });
`,
  'script.yaml': `lanes:
  desk:
    - { text: Let me see., toolCalls: [{ name: look_up, args: { what: ' the sea ' } }] }
    - { text: It is blue. }
    - { text: You are welcome. }
`,
};

const KEY = 'key-of-the-house-42';
const RUN = ['run', 'agent:desk', '--script', 'script.yaml'];

interface Answer {
  readonly thread: string;
  readonly status: string;
  readonly text: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

describe('run agent:', () => {
  it('runs a thread to its answer, streams its words, and says how to go on', async () => {
    const here = { cwd: folderWith(PROJECT) };
    const ran = await cuebook([...RUN, '--input', 'What is the sea?', '--env', `KEY=${KEY}`], here);
    expect(ran).toMatchObject({ code: 0, stdout: 'Let me see.\nIt is blue.' });
    expect(ran.stderr).toContain('rehearsal: a script answers, not a model');
    expect(ran.stderr).toContain('look_up {"what":" the sea "}');
    expect((await cuebook(['verify', '--all'], here)).code).toBe(0);
  });

  it('names the command that goes on after a failure, which does', async () => {
    const script = 'lanes: { desk: [{ error: { status: 401 } }, { text: Back. }] }\n';
    const here = { cwd: folderWith({ ...PROJECT, 'script.yaml': script }) };
    const failed = await cuebook([...RUN, '--input', 'Hello', '--env', `KEY=${KEY}`, '--json'], here);
    const { thread, status, next } = JSON.parse(failed.stdout) as Answer & { readonly next: string };
    expect([failed.code, status]).toEqual([1, 'failed']);
    expect(next).toBe(`cuebook run agent:desk --script script.yaml --run ${thread} --input TEXT`);
    const again = await cuebook(next.split(' ').slice(1), here);
    expect(again).toMatchObject({ code: 0, stdout: 'Back.' });
  });

  it.each(['edited', 'deleted'])(
    'goes on with the definitions of its beginning after they were %s',
    async (how) => {
      const script = 'lanes: { desk: [{ text: One. }, { text: Two. }] }\n';
      const cwd = folderWith({ ...PROJECT, 'cuebook.yaml': '{}\n', 'script.yaml': script });
      const first = await cuebook([...RUN, '--input', 'Hello', '--env', `KEY=${KEY}`, '--json'], { cwd });
      const { thread } = JSON.parse(first.stdout) as Answer;
      if (how === 'deleted') rmSync(join(cwd, 'agents'), { recursive: true });
      else
        for (const path of Object.keys(PROJECT).filter((each) => each.startsWith('agents/')))
          writeFileSync(join(cwd, path), 'export default { edited: true };');
      const again = await cuebook([...RUN, '--run', thread, '--input', 'And?', '--trace', 't.jsonl'], {
        cwd,
      });
      expect(again).toMatchObject({ code: 0, stdout: 'Two.' });
      const sent = readFileSync(join(cwd, 't.jsonl'), 'utf8');
      expect(sent).toContain('You help.');
      expect(sent).not.toContain('edited');
    },
  );

  it('goes on with a thread in a later call, its variables and the place in the script kept', async () => {
    const here = { cwd: folderWith(PROJECT) };
    const first = await cuebook(
      [...RUN, '--input', 'What is the sea?', '--env', `KEY=${KEY}`, '--json'],
      here,
    );
    const { thread, status, messages } = JSON.parse(first.stdout) as Answer;
    expect({ status, messages: messages.map(({ role, content }) => `${role}: ${content}`) }).toEqual({
      status: 'done',
      messages: [
        'user: What is the sea?',
        'assistant: Let me see.',
        'tool: the sea with [removed:credential]',
        'assistant: It is blue.',
      ],
    });
    const more = ['--run', thread, '--input', 'Thanks.', '--trace', 'trace.jsonl', '--json'];
    const second = await cuebook([...RUN, ...more], here);
    expect(JSON.parse(second.stdout)).toMatchObject({ thread, status: 'done', text: 'You are welcome.' });
    const trace = readFileSync(join(here.cwd, 'trace.jsonl'), 'utf8');
    const lines = trace
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; type: string; body?: unknown });
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
    expect(lines.filter(({ type }) => type === 'request')).toHaveLength(3);
    expect(lines.filter(({ type }) => type === 'message')).toHaveLength(6);
    const journal = readFileSync(join(here.cwd, '.cuebook', 'journal.db'), 'latin1');
    for (const text of [trace, first.stdout, second.stdout, second.stderr, journal])
      expect(text).not.toContain(KEY);
    expect((await cuebook(['verify', '--all'], here)).code).toBe(0);
  });

  it('asks first what render shows', async () => {
    const here = { cwd: folderWith(PROJECT) };
    const given = ['--input', 'What is the sea?', '--env', `KEY=${KEY}`];
    const rendered = await cuebook(['render', 'agent:desk', ...given, '--json'], here);
    await cuebook([...RUN, ...given, '--trace', 'trace.jsonl', '--json'], here);
    const lines = readFileSync(join(here.cwd, 'trace.jsonl'), 'utf8').trimEnd().split('\n');
    const first = lines
      .map((line) => JSON.parse(line) as { type: string; body?: { messages: unknown; tools: unknown } })
      .find(({ type }) => type === 'request');
    const { messages, tools } = JSON.parse(rendered.stdout) as { messages: unknown; tools: unknown };
    expect(first?.body).toMatchObject({ messages, tools });
  });

  it.each([
    { args: ['run', 'agent:desk'], code: 2, says: 'E_USAGE' },
    { args: ['run', 'agent:desks', '--input', 'x'], code: 2, says: 'Did you mean agent:desk?' },
    { args: [...RUN, '--input', 'x', '--run', 'run_nobody'], code: 2, says: 'E_RUN_UNKNOWN' },
    { args: [...RUN, '--input', 'x', '--turns', 'many'], code: 2, says: '--turns takes a number' },
    { args: [...RUN, '--input', 'x', '--attach', 'nowhere.png'], code: 2, says: 'E_ATTACHMENT' },
    {
      args: ['run', 'agent:desk', '--input', 'x', '--provider', 'nobody'],
      code: 2,
      says: 'E_PROVIDER_CONFIG',
    },
    {
      args: ['run', 'agent:desk', '--input', 'x', '--provider', 'claude'],
      code: 1,
      says: 'E_THREAD_PROVIDER',
    },
  ])('a call that cannot be: $args', async ({ args, code, says }) => {
    const outcome = await cuebook(args, { cwd: folderWith(PROJECT) });
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(says);
  });

  it.each([
    { what: 'throws', file: "throw new Error('not today');" },
    { what: 'exports nothing', file: 'const nothing = 1;' },
    { what: 'imports itself', file: "import './pay.ts';" },
  ])('a tool whose file $what: the run does not begin, and says where to look', async ({ file }) => {
    const here = { cwd: folderWith({ ...PROJECT, 'agents/tools/pay.ts': file }) };
    const ran = await cuebook([...RUN, '--input', 'Hi', '--env', `KEY=${KEY}`], here);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('which did not load: see agents/tools/pay.ts');
  });

  it('a file that fails and that the agent does not use keeps nobody from running', async () => {
    const here = {
      cwd: folderWith({ ...PROJECT, 'agents/tools/other.ts': "throw new Error('not today');" }),
    };
    const ran = await cuebook([...RUN, '--input', 'Hi', '--env', `KEY=${KEY}`], here);
    expect(ran.code).toBe(0);
  });

  it('a spent budget waits, and says the command that goes on', async () => {
    const here = { cwd: folderWith(PROJECT) };
    const ran = await cuebook(
      [...RUN, '--input', 'Hi', '--env', `KEY=${KEY}`, '--turns', '1', '--json'],
      here,
    );
    expect(ran.code).toBe(1);
    const answer = JSON.parse(ran.stdout) as Answer & { readonly next: string };
    expect(answer).toMatchObject({
      status: 'waiting',
      next: `cuebook run agent:desk --script script.yaml --run ${answer.thread} --turns 2`,
    });
    const on = await cuebook([...answer.next.split(' ').slice(1), '--json'], here);
    expect(JSON.parse(on.stdout)).toMatchObject({ status: 'done', text: 'It is blue.' });
  });
});
