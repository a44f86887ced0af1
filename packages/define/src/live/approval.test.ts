import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { open, toolText } from '../../test/live.js';

const tool = (approval: string): string =>
  toolText('return { status: "success" };', {
    fields: `args: z.object({ n: z.number().default(7) }), ${approval}`,
  });

const BROKEN = {
  ask: true,
  reason: 'The function that says whether this call needs approval gave no answer.',
};

it.each([
  ['left out', '', { ask: false }],
  ['never', "approval: 'never',", { ask: false }],
  ['always', "approval: 'always',", { ask: true }],
  ['a function that says no', 'approval: () => false,', { ask: false }],
  ['one that says yes, later', 'approval: async () => true,', { ask: true }],
  [
    'one that says why',
    "approval: ({ n }) => n > 5 && ' It is ' + n + '. ',",
    { ask: true, reason: 'It is 7.' },
  ],
  ['one that says a blank', "approval: () => ' ',", { ask: true }],
  ['one that says a lot', "approval: () => 'x'.repeat(10_000),", { ask: true, reason: 'x'.repeat(500) }],
])('%s', async (_name, approval, need) => {
  const live = await open({ 'tools/pay.ts': tool(approval) });
  expect(await live.approval('pay', {})).toEqual(need);
});

it('a function that gives no answer asks', async () => {
  const bodies = [
    '() => { throw new Error("no"); }',
    '() => undefined',
    '() => 0',
    '() => ({ ask: false })',
    '() => 7n',
    'async () => new Promise(() => {})',
    '() => { for (;;); }',
    '() => process.exit(0)',
  ];
  const live = await open(
    Object.fromEntries(bodies.map((body, at) => [`tools/t${at}.ts`, tool(`approval: ${body},`)])),
    { checkMs: 300 },
  );
  for (const at of bodies.keys()) expect(await live.approval(`t${at}`, {}), bodies[at]).toEqual(BROKEN);
  expect(await live.approval('t0', { n: 'seven' })).toEqual(BROKEN);
  expect(await live.approval('nobody', {})).toEqual({ ask: true });
});
