import { APPROVALS_PROJECTION, manualClock } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import type { ScriptStep } from '@cuebook/provider';
import { expect, onTestFinished } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { threadStatus } from '../src/run/status.js';
import type { ThreadsOptions } from '../src/threads.js';
import { readTrace } from '../src/trace.js';
import { calls, toolTexts } from './cases/case.js';
import { agent, desk, prompt, tool } from './project.js';
import { openStand, RUN, root, type Stand } from './stand.js';

/** Says what it was given, so that a result shows with which arguments it ran. */
const pays = (approval: string): string =>
  tool(
    "return { status: 'success', result: 'paid ' + args.to + ' ' + args.sum };",
    `args: z.object({ to: z.string().trim().min(1), sum: z.number().max(100) }), ${approval}`,
  );

const PAY = { to: 'Ann', sum: 5 };

async function open(
  lanes: readonly ScriptStep[],
  {
    approval = "approval: 'always',",
    more = "tools: ['pay'], includePastTools: true, includeChat: true,",
    rest = {},
    ...options
  }: {
    readonly approval?: string;
    readonly more?: string;
    readonly rest?: Readonly<Record<string, string>>;
  } & Partial<ThreadsOptions> = {},
): Promise<Stand> {
  const stand = await openStand(
    desk(more, { 'tools/pay.ts': pays(approval), ...rest }),
    { clerk: lanes, '*': [{ text: 'Well.' }] },
    options,
  );
  onTestFinished(() => stand.close());
  return stand;
}

/** What waits for a person. */
async function waiting(stand: Stand, run: RunId = RUN) {
  const status = threadStatus(await stand.threads.read(run));
  if (status.kind !== 'waiting' || status.for !== 'approval') throw new Error(JSON.stringify(status));
  return status.approvals;
}

async function answer(stand: Stand, word: Omit<Parameters<Stand['threads']['answer']>[1], 'approval'>) {
  const [asked] = await waiting(stand);
  const said = await stand.threads.answer(RUN, { approval: asked?.id ?? '', ...word });
  await stand.threads.drain();
  return said;
}

const ran = async (stand: Stand): Promise<readonly string[]> => {
  await stand.threads.drain();
  return toolTexts(stand.requests.at(-1));
};

const listed = async ({ store }: Stand) => [...(await store.projections(APPROVALS_PROJECTION)).values()];

it('a call that needs approval waits, is listed with the very arguments, and runs when a person allows it', async () => {
  const stand = await open([calls('pay', PAY), { text: 'Paid.' }]);
  await stand.start();
  expect(await waiting(stand)).toMatchObject([{ tool: 'pay', input: PAY }]);
  expect(await listed(stand)).toMatchObject([{ run: RUN, tool: 'pay', input: PAY }]);
  expect(stand.requests).toHaveLength(1);
  expect(await answer(stand, { decision: 'allow' })).toMatchObject({ ok: true });
  expect(await ran(stand)).toEqual(['paid Ann 5']);
  expect(await listed(stand)).toEqual([]);
  expect(threadStatus(await stand.threads.read(RUN))).toMatchObject({ kind: 'done' });
  const events = (await stand.store.read(RUN, { limit: 1_000 })).map(({ type }) => type);
  expect(events.filter((type) => type.startsWith('approval.'))).toEqual([
    'approval.requested',
    'approval.resolved',
  ]);
});

it('a denied call does not run, and the model hears the words', async () => {
  const stand = await open([calls('pay', PAY), { text: 'So be it.' }]);
  await stand.start();
  await answer(stand, { decision: 'deny', message: 'Ask Bob first' });
  expect(await ran(stand)).toEqual(['A person did not allow this call: Ask Bob first Nothing was run.']);
});

it('changed arguments pass every check that the first ones passed', async () => {
  const stand = await open([calls('pay', PAY), { text: 'Paid.' }]);
  await stand.start();
  for (const input of [{ to: 'Bob', sum: 101 }, { to: ' ', sum: 1 }, { sum: 1 }, [PAY], 'pay', null])
    expect(await answer(stand, { decision: 'change', input })).toMatchObject({
      ok: false,
      error: { code: 'E_APPROVAL_INPUT' },
    });
  expect(await answer(stand, { decision: 'change', input: { to: 'Bob', sum: 100 } })).toMatchObject({
    ok: true,
  });
  expect(await ran(stand)).toEqual(['paid Bob 100']);
});

it('arguments that the schema refuses are refused before anybody is asked', async () => {
  const stand = await open([calls('pay', { to: 'Ann', sum: 101 }), { text: 'Oh.' }]);
  await stand.start();
  expect((await ran(stand))[0]).toMatch(/^Bad arguments: sum/);
  expect(await listed(stand)).toEqual([]);
});

it('a function decides by the arguments, and one that fails asks', async () => {
  const stand = await open(
    [
      {
        toolCalls: [
          { name: 'pay', args: PAY },
          { name: 'pay', args: { to: 'Bob', sum: 50 } },
          { name: 'pay', args: { to: 'Eve', sum: 1 } },
        ],
      },
      { text: 'Paid.' },
    ],
    {
      approval:
        "approval: ({ to, sum }) => { if (to === 'Eve') throw new Error('x'); return sum > 10 && 'More than 10.'; },",
    },
  );
  await stand.start();
  expect((await waiting(stand)).map(({ input, reason }) => [(input as typeof PAY).to, reason])).toEqual([
    ['Bob', 'More than 10.'],
    ['Eve', 'The function that says whether this call needs approval gave no answer.'],
  ]);
});

it('a tool that was allowed for the rest of the run is not asked about again, in no conversation of it', async () => {
  const again = await openStand(
    desk("tools: ['pay', { name: 'helper', initUserMessageProperty: 'message' }], includePastTools: true,", {
      'tools/pay.ts': pays("approval: 'always',"),
      'prompts/helper.ts': prompt('helper', "tools: ['pay'],"),
    }),
    {
      clerk: [calls('pay', PAY), calls('helper', { message: 'Pay.' }), { text: 'Paid.' }],
      helper: [calls('pay', { to: 'Bob', sum: 2 })],
    },
  );
  onTestFinished(() => again.close());
  await again.start();
  await answer(again, { decision: 'allow', grant: true });
  expect(JSON.stringify(root(await again.threads.read(RUN)).messages)).toContain('paid Bob 2');
});

it('an approval that nobody answers in time expires', async () => {
  const clock = manualClock();
  const stand = await open([calls('pay', PAY), { text: 'Well.' }], { clock, approvalMs: 60_000 });
  await stand.start();
  expect(await waiting(stand)).toMatchObject([{ expiresAt: clock.now() + 60_000 }]);
  await clock.advance(60_000);
  expect(await ran(stand)).toEqual(['Nobody allowed this call in time. Nothing was run.']);
});

it('an answer counts once, and a stop takes back what is asked', async () => {
  const stand = await open([calls('pay', PAY), { text: 'Paid.' }, calls('pay', PAY)]);
  await stand.start();
  const [asked] = await waiting(stand);
  const word = { id: 'one', approval: asked?.id ?? '', decision: 'allow' } as const;
  expect(await stand.threads.answer(RUN, word)).toMatchObject({ ok: true });
  expect(await stand.threads.answer(RUN, word)).toMatchObject({ ok: true });
  expect(await stand.threads.answer(RUN, { ...word, id: 'two' })).toMatchObject({
    error: { code: 'E_APPROVAL_RESOLVED' },
  });
  expect(await stand.threads.answer(RUN, { ...word, id: 'three', approval: 'apr_no' })).toMatchObject({
    error: { code: 'E_APPROVAL_UNKNOWN' },
  });
  await stand.threads.drain();
  await stand.say('Once more.');
  await waiting(stand);
  await stand.threads.stop(RUN);
  await stand.threads.drain();
  expect(threadStatus(await stand.threads.read(RUN))).toMatchObject({ kind: 'stopped' });
  expect(await listed(stand)).toEqual([]);
  expect(root(await stand.threads.read(RUN)).messages.at(-1)).toMatchObject({
    role: 'tool',
    text: 'The run stopped before this call was allowed. Nothing was run.',
  });
});

it('a session tool that nobody allowed ends no session, whether it says done or failed', async () => {
  const stand = await open([calls('pay', PAY), { text: 'Then not.' }], {
    rest: { 'agents/desk.ts': agent('desk', "sideA: { prompt: 'clerk', sessionFail: 'pay' }") },
  });
  await stand.start();
  await answer(stand, { decision: 'deny' });
  expect(threadStatus(await stand.threads.read(RUN))).toMatchObject({
    kind: 'done',
    outcome: { text: 'Then not.' },
  });
});

it('a secret of the thread is in no approval, changed argument or word', async () => {
  const KEY = 'Tulip_harvest-4417-zebra';
  const stand = await open([calls('pay', { to: KEY, sum: 1 }), calls('pay', PAY), { text: 'Paid.' }], {
    more: `tools: ['pay'], includePastTools: true,
      variables: [{ name: 'KEY', type: 'secret', required: false, description: 'A key' }],`,
  });
  await stand.start({ env: { KEY } });
  await answer(stand, { decision: 'change', input: { to: `x ${KEY}`, sum: 2 } });
  await answer(stand, { decision: 'deny', message: `not ${KEY}` });
  expect(await ran(stand)).toEqual([
    'paid x [removed:credential] 2',
    'A person did not allow this call: not [removed:credential] Nothing was run.',
  ]);
  expect(await stand.everything()).not.toContain(KEY);
});

it('the trace tells what was asked and what was answered', async () => {
  const stand = await open([calls('pay', PAY), { text: 'Paid.' }]);
  await stand.start();
  await answer(stand, { decision: 'allow', by: 'Kim' });
  const lines = [];
  for await (const line of readTrace(stand.store, RUN)) lines.push(line);
  expect(lines.filter(({ event }) => String(event).startsWith('approval.'))).toMatchObject([
    { thread: 'main', event: 'approval.requested', tool: 'pay', input: PAY },
    { thread: 'main', event: 'approval.resolved', decision: 'allow', by: 'Kim' },
  ]);
});
