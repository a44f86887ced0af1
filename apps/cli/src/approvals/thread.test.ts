import type { ApprovalView } from '@cuebook/api';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { env, waiting } from '../../test/asking.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { missing, terminal } from '../../test/terminal.js';

const FILES = {
  'agents/models/fast.ts': `import { defineModel } from '@cuebook/define';
export default defineModel({ name: 'fast', provider: 'rehearsal', model: 'fast-1' });
`,
  'agents/prompts/clerk.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({
  name: 'clerk', toolDescription: 'Helps', model: 'fast', prompt: 'You help.', tools: ['pay'], includeChat: true,
});
`,
  'agents/tools/pay.ts': `import { defineTool } from '@cuebook/define';
import { z } from 'zod';
export default defineTool({
  description: 'Pays', args: z.object({ to: z.string(), sum: z.number().max(100) }),
  approval: ({ sum }) => sum > 10 && 'It is more than 10.',
  execute: async (_, { to, sum }) => ({ status: 'success', result: 'paid ' + to + ' ' + sum }),
});
`,
  'agents/agents/desk.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'desk', sideA: { prompt: 'clerk' } });
`,
  'script.json': JSON.stringify({
    lanes: {
      desk: [
        {
          toolCalls: [
            { name: 'pay', args: { to: 'Ann', sum: 1 } },
            { name: 'pay', args: { to: 'Bob', sum: 50 } },
          ],
        },
        { text: 'Done.' },
        { toolCalls: [{ name: 'pay', args: { to: 'Cid', sum: 70 } }] },
        { text: 'Done again.' },
      ],
    },
  }),
};

const RUN = 'run agent:desk --script script.json';

/** A thread that wants to pay Bob. */
async function asking() {
  const cwd = folderWith(FILES);
  const cue = (...args: readonly string[]) => cuebook(args, { cwd, env });
  const begun = await cue(...RUN.split(' '), '--input', 'Pay.', '--json');
  const document = JSON.parse(begun.stdout) as Document;
  return { cwd, cue, begun, document, run: document.run, id: document.waits[0]?.id ?? '' };
}

interface Document {
  readonly run: string;
  readonly waits: readonly { readonly id: string }[];
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const results = (stdout: string): readonly string[] =>
  (JSON.parse(stdout) as Document).messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

describe('what a thread wants to do', () => {
  it('is in the answer of run, in the list with its reason, and in show with both answers', async () => {
    const { cwd, cue, begun, document, run, id } = await asking();
    expect(begun.code).toBe(1);
    expect(document).toMatchObject({
      status: 'waiting',
      reason: 'approval',
      text: 'It waits for your approval of pay({"sum":50,"to":"Bob"}) (It is more than 10.)',
      next: `cuebook approvals allow ${id}`,
      waits: [
        {
          for: 'approval',
          tool: 'pay',
          input: { to: 'Bob', sum: 50 },
          reason: 'It is more than 10.',
          expiresAt: null,
        },
      ],
    });
    expect(await waiting(cwd)).toMatchObject([
      {
        ...{ kind: 'thread', target: 'agent:desk', for: 'approval', id, run, tool: 'pay' },
        ...{ input: { to: 'Bob', sum: 50 }, reason: 'It is more than 10.' },
        command: `cuebook approvals allow ${id}`,
      } satisfies Partial<ApprovalView>,
    ]);
    expect((await cue('approvals')).stdout).toBe(
      `${id}  ${run}  thread  agent:desk  wants to: pay {"sum":50,"to":"Bob"}\n`,
    );
    const shown = (await cue('approvals', 'show', id)).stdout;
    expect(shown).toContain('It is more than 10.');
    expect(shown).toContain(`cuebook approvals allow ${id}\n  cuebook approvals deny ${id}\n`);
    expect((await cue('runs')).stdout).toContain('waiting');
    const more = await cue(...RUN.split(' '), '--run', run);
    expect(more).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`go on: cuebook approvals allow ${id}`),
    });
  });

  it('is done once a person allows it, in a process of its own that goes on with the script', async () => {
    const { cwd, cue, id, run } = await asking();
    const allowed = await cue('approvals', 'allow', id, '--json');
    expect([allowed.code, JSON.parse(allowed.stdout)]).toMatchObject([0, { status: 'done', text: 'Done.' }]);
    expect(results(allowed.stdout)).toEqual(['paid Ann 1', 'paid Bob 50']);
    expect(await waiting(cwd)).toEqual([]);
    expect((await cue('approvals', 'allow', id)).stderr).toContain('E_APPROVAL_UNKNOWN');
    expect((await cue('verify', '--all')).code).toBe(0);
    const again = await cue(...RUN.split(' '), '--run', run, '--input', 'Once more.', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ status: 'waiting', reason: 'approval' });
  });

  it('is not done when a person denies it, and the agent hears the words', async () => {
    const { cue, id } = await asking();
    const denied = await cue('approvals', 'deny', id, '--message', 'Not Bob', '--json');
    expect(results(denied.stdout)[1]).toBe('A person did not allow this call: Not Bob Nothing was run.');
  });

  it('is done with other arguments, which are held to the schema of the tool', async () => {
    const { cue, id } = await asking();
    const wrong = await cue('approvals', 'change', id, '--with', '{"to":"Eve","sum":101}');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('E_APPROVAL_INPUT')]);
    const changed = await cue('approvals', 'change', id, '--with', '{"to":"Eve","sum":99}', '--json');
    expect(results(changed.stdout)).toEqual(['paid Ann 1', 'paid Eve 99']);
  });

  it('is allowed for the rest of the run', async () => {
    const { cue, id, run } = await asking();
    await cue('approvals', 'allow', id, '--grant');
    const again = await cue(...RUN.split(' '), '--run', run, '--input', 'Once more.', '--json');
    expect([again.code, results(again.stdout).at(-1)]).toEqual([0, 'paid Cid 70']);
  });

  it('is answered with allow, deny or change, or with yes or no, and nothing else', async () => {
    const { cue, id } = await asking();
    expect(await cue('approvals', 'answer', id, 'perhaps')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`approvals allow ${id}`),
    });
    expect(await cue('approvals', 'answer', id, 'no')).toMatchObject({ code: 0, stdout: 'Done.' });
  });
});

describe.skipIf(missing !== '')(`at a terminal${missing}`, () => {
  const LIMIT = 120_000;

  it(
    'a conversation shows it, and takes /change, /deny and /allow',
    async () => {
      const cwd = folderWith(FILES);
      const person = terminal(cwd, RUN);
      await person.sees('/exit leaves');
      person.types('Pay.');
      await person.sees('here: /allow');
      person.types('/change {"to":"Bob","sum":101}');
      await person.sees('The changed input does not fit: sum');
      person.types('/change {"to":"Bob","sum":12}');
      await person.sees('Done.');
      person.types('More.');
      await person.sees(/Cid.*here: \/allow/s);
      person.types('/deny Enough');
      await person.sees('Done again.');
      person.types('/allow');
      await person.sees('Nothing waits for your approval');
      person.types('/exit');
      expect(await person.ended).toBe(0);
      const [{ run } = { run: '' }] = JSON.parse(
        (await cuebook(['runs', '--json'], { cwd, env })).stdout,
      ).runs;
      const log = (await cuebook(['log', run, '--json'], { cwd, env })).stdout;
      expect(log).toContain('paid Bob 12');
      expect(log).not.toContain('paid Cid');
    },
    LIMIT,
  );

  it(
    'an answer from another process is taken while a person sits at the question; killed there, it is taken after',
    async () => {
      for (const isKilled of [false, true]) {
        const cwd = folderWith(FILES);
        const first = terminal(cwd, `${RUN} --input Pay.`);
        await first.sees(/Yes.*No/);
        const [row] = await waiting(cwd);
        if (isKilled) {
          process.kill(first.pid(), 'SIGKILL');
          await first.ended;
        }
        const answered = await cuebook(['approvals', 'allow', row?.id ?? '', '--json'], { cwd, env });
        if (isKilled) expect(results(answered.stdout)).toEqual(['paid Ann 1', 'paid Bob 50']);
        else {
          await first.sees('Done.');
          expect(await first.ended).toBe(0);
          // The other process has the thread: it is told of, or, when it has ended meanwhile, shown.
          expect(['answered', 'done']).toContain(JSON.parse(answered.stdout).status);
        }
        const log = (await cuebook(['log', row?.run ?? '', '--json'], { cwd, env })).stdout;
        expect(log.match(/"text":"paid Bob 50"/g)).toHaveLength(1);
      }
    },
    LIMIT,
  );
});
