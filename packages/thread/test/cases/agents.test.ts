import type { ScriptStep } from '@cuebook/provider';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import type { ThreadRunState } from '../../src/run/state.js';
import { agent, desk, ECHO, prompt, tool } from '../project.js';
import { openStand, root, said } from '../stand.js';
import { type Case, calls, expectSaid, testCases, toolNames, toolTexts } from './case.js';

const DONE = tool(
  "return { status: 'success', result: 'over' };",
  'args: z.object({ text: z.string().optional() }),',
);
const FAILS = tool("throw new Error('kaput');");
const NOTES = tool("await state.notifyParent('half way'); return { status: 'success', result: 'told' };");

/** A desk whose clerk may call `child`, an agent of two sides. */
const withChild = (config: string, agentMore = '', sideMore = ''): Readonly<Record<string, string>> => ({
  ...desk(`includeChat: true, tools: [{ name: 'child', ${config} }, 'echo'],`, {
    'tools/echo.ts': ECHO,
    'tools/done.ts': DONE,
    'tools/gives_up.ts': DONE,
    'tools/fails.ts': FAILS,
    'tools/notes.ts': NOTES,
  }),
  'prompts/side_a.ts': prompt(
    'side_a',
    "includeChat: true, includePastTools: true, tools: ['done', 'gives_up', 'fails', 'notes'],",
  ),
  'prompts/side_b.ts': prompt('side_b', 'includeChat: true, includePastTools: true,'),
  'agents/child.ts': agent(
    'child',
    `type: 'dual_ai', exposeAsTool: true, toolDescription: 'Works', ${agentMore}
     sideA: { prompt: 'side_a', sessionStop: { name: 'done', messageProperty: 'text' }, sessionFail: { name: 'gives_up', messageProperty: 'text' }, ${sideMore} },
     sideB: { prompt: 'side_b' }`,
  ),
});

const pair = (more: string, sides = ''): Readonly<Record<string, string>> => ({
  ...withChild('', more, sides),
  'agents/desk.ts': agent(
    'desk',
    `type: 'dual_ai', ${more} sideA: { prompt: 'side_a', sessionStop: { name: 'done', messageProperty: 'text' }, ${sides} }, sideB: { prompt: 'side_b' }`,
  ),
});

const GO = calls('child', { message: 'Go.' });
const child = (state: ThreadRunState) => {
  const found = Object.values(state.frames).find(({ agent: name }) => name === 'child');
  if (found === undefined) throw new Error('no child');
  return found;
};
const RESUMABLE = "resumable: { receives_messages: 'side_a' }";
const create = (name: string) => calls('subagent_create', { agent: 'child', name, message: 'Go.' });

const TWO_SIDES: readonly Case[] = [
  {
    name: 'each side sees the other as the user, and not its tools',
    project: pair(''),
    lanes: {
      side_a: [calls('notes', {}, 'Hm.'), { text: 'I say A.' }, calls('done', { text: 'Agreed.' })],
      side_b: [{ text: 'I say B.' }],
    },
    see: ({ requests, state }) => {
      expectSaid(requests[2], [
        'system: I am side_b.',
        'user: (What was said and done before:)',
        'assistant: Hello.',
        'user: Hm.',
        'user: I say A.',
      ]);
      expectSaid(requests[3], [
        'system: I am side_a.',
        'user: Hello.',
        'assistant: Hm.',
        'tool: told',
        'assistant: I say A.',
        'user: I say B.',
      ]);
      expect(root(state).outcome).toMatchObject({ status: 'done', reason: 'session-stop', text: 'Agreed.' });
    },
  },
  {
    name: 'maxSessionTurns ends after so many exchanges, with the reason',
    project: pair('maxSessionTurns: 2,'),
    lanes: {
      side_a: [{ text: 'A1' }, { text: 'A2' }, { text: 'A3' }],
      side_b: [{ text: 'B1' }, { text: 'B2' }, { text: 'B3' }],
    },
    see: ({ requests, state }) => {
      expect(requests).toHaveLength(4);
      expect(root(state).outcome).toMatchObject({ status: 'done', reason: 'max-turns', text: 'B2' });
    },
  },
  {
    name: 'a stop tool ends the turn of its side, and its property is what the side said',
    project: pair(
      'maxSessionTurns: 1,',
      "stopOnResponse: false, stopTool: 'done', stopToolResponseProperty: 'text', sessionStop: undefined,",
    ),
    lanes: { side_a: [{ text: 'Thinking.' }, calls('done', { text: 'My word.' })], side_b: [{ text: 'B1' }] },
    see: ({ requests, state }) => {
      expect(requests[2]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'My word.' });
      expect(root(state).outcome).toMatchObject({ reason: 'max-turns' });
    },
  },
  {
    name: 'maxSteps ends the turn of a side',
    project: pair('maxSessionTurns: 1,', 'maxSteps: 2,'),
    lanes: { side_a: [calls('notes'), calls('notes'), { text: 'Never.' }], side_b: [{ text: 'B1' }] },
    see: ({ requests, state }) => {
      expect(requests).toHaveLength(3);
      expect(root(state).outcome).toMatchObject({ reason: 'max-turns', text: 'B1' });
    },
  },
];

describe('agents of two sides', () => testCases(TWO_SIDES));

const SUBAGENTS: readonly Case[] = [
  {
    name: 'blocking: one tool result with what the child says; the child has ended',
    project: withChild(''),
    lanes: { clerk: [GO, { text: 'Well.' }], side_a: [calls('done', { text: 'Found it.' })] },
    see: ({ requests, state }) => {
      expect(toolTexts(requests[2])).toEqual(['Found it.']);
      expect(child(state)).toMatchObject({ ended: true, parent: 'main' });
      expect(requests[1]?.messages[1]).toMatchObject({ role: 'user', content: 'Go.' });
    },
  },
  {
    name: 'a child that gives up is a failed call with its words',
    project: withChild(''),
    lanes: { clerk: [GO, { text: 'Well.' }], side_a: [calls('gives_up', { text: 'Nothing there.' })] },
    see: ({ requests, state }) => {
      expect(toolTexts(requests[2])).toEqual(['Nothing there.']);
      expect(root(state).messages.find(({ role }) => role === 'tool')?.isError).toBe(true);
    },
  },
  {
    name: 'a session tool that itself fails does not end the session',
    project: withChild('', '', "sessionStop: 'fails',"),
    lanes: {
      clerk: [GO, { text: 'Well.' }],
      side_a: [calls('fails'), calls('gives_up', { text: 'So be it.' })],
    },
    see: ({ requests }) => expect(toolTexts(requests.at(-1))).toEqual(['So be it.']),
  },
  {
    name: 'a child that ends by its turns alone is a failed call that names the session tools',
    project: withChild('', 'maxSessionTurns: 1,'),
    lanes: { clerk: [GO, { text: 'Well.' }], side_a: [{ text: 'A1' }], side_b: [{ text: 'B1' }] },
    see: ({ requests, state }) => {
      expect(toolTexts(requests.at(-1))[0]).toContain('sessionStop or sessionFail tool was not called');
      expect(root(state).messages.find(({ role }) => role === 'tool')?.isError).toBe(true);
    },
  },
  {
    name: 'not blocking: the turn ends first; the result comes later as a silent message that begins a turn',
    project: withChild('blocking: false'),
    lanes: {
      clerk: [GO, { text: 'It runs.' }, { text: 'It is done.' }],
      side_a: [{ ...calls('done', { text: 'Found it.' }), delayMs: 1_500 }],
    },
    see: ({ requests, state }) => {
      const { id } = child(state);
      expect(root(state).messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
        'user: Hello.',
        'assistant: ',
        `tool: Started child.\n\nreference: ${id}`,
        'assistant: It runs.',
        `user: The subagent child (${id}) has finished.\n\nFound it.`,
        'assistant: It is done.',
      ]);
      expect(root(state).messages[4]).toMatchObject({ silent: true, subagent: id });
      expect(requests).toHaveLength(4);
    },
  },
  {
    name: 'resumable: two tools are told in the place of the agent, and a name is needed',
    project: withChild(RESUMABLE),
    lanes: {
      clerk: [
        calls('subagent_create', { agent: 'child', name: ' ', message: 'Go.' }),
        create('Ann'),
        { text: 'Well.' },
      ],
      side_a: [calls('done', { text: 'Found it.' })],
    },
    see: ({ requests, state }) => {
      expect(toolNames(requests[0])).toEqual(['echo', 'subagent_create', 'subagent_message']);
      expect(toolTexts(requests[1])[0]).toContain('subagent_create requires name');
      expect(toolTexts(requests.at(-1))[1]).toBe(`Found it.\n\nreference: ${child(state).id}`);
      expect(child(state)).toMatchObject({ name: 'Ann', ended: false });
    },
  },
  {
    name: 'a word to somebody who is not there, or who is no child: not active',
    project: withChild(RESUMABLE),
    lanes: {
      clerk: [
        calls('subagent_message', { referenceId: 'thr_x', message: 'Hi' }),
        calls('subagent_message', { referenceId: 'main', message: 'Hi' }),
        { text: 'Well.' },
      ],
    },
    see: ({ requests, state }) => {
      expect(toolTexts(requests[2])).toEqual([
        'The subagent "thr_x" is not active.',
        'The subagent "main" is not active.',
      ]);
      expect(root(state).outcome).toMatchObject({ status: 'done', text: 'Well.' });
    },
  },
  {
    name: 'maxInstances: one more is an error that names those there are',
    project: withChild("resumable: { receives_messages: 'side_a', maxInstances: 1 }"),
    lanes: {
      clerk: [create('Ann'), create('Bea'), { text: 'Well.' }],
      side_a: [calls('done', { text: 'ok' })],
    },
    see: ({ requests, state }) => {
      expect(toolTexts(requests.at(-1))[1]).toContain(
        `may have 1 instances, and these are active: ${child(state).id}`,
      );
      expect(Object.values(state.frames).filter(({ agent: name }) => name === 'child')).toHaveLength(1);
    },
  },
  {
    name: 'explicit: the parent hears nothing but what the child tells it',
    project: withChild(
      "blocking: false, resumable: { receives_messages: 'side_a', parentCommunication: 'explicit' }",
    ),
    lanes: {
      clerk: [create('Ann'), { text: 'It runs.' }, { text: 'I hear.' }],
      side_a: [calls('notes'), calls('done', { text: 'Found it.' })],
    },
    see: ({ state }) => {
      const told = root(state).messages.filter(({ silent }) => silent);
      expect(told.map(({ text }) => text)).toEqual(['half way']);
      expect(child(state).outcome).toMatchObject({ text: 'Found it.' });
    },
  },
  {
    name: 'immediate: a child begins before the first step, with what was said',
    project: withChild('blocking: false, immediate: true'),
    lanes: { clerk: [{ text: 'Hi.' }, { text: 'I hear.' }], side_a: [calls('done', { text: 'Ready.' })] },
    see: ({ state }) => {
      expect(child(state).messages[0]).toMatchObject({ role: 'user', text: 'Hello.' });
      expect(root(state).messages.some(({ text }) => text.includes('Ready.'))).toBe(true);
    },
  },
  {
    name: 'immediate by variables: one child for each group, which takes its variables with it',
    project: withChild(
      "blocking: false, immediate: { nameEnv: 'WHO', descriptionEnv: 'TASK', scopedEnv: ['PASS'] }",
    ),
    lanes: {
      clerk: [{ text: 'Hi.' }, { text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }],
      side_a: [calls('done', { text: 'ok' }), calls('done', { text: 'ok' })],
    },
    start: {
      env: {
        WHO: 'Ann',
        TASK: 'Paint.',
        PASS: 'sesame-1234',
        WHO__2: 'Bea',
        TASK__2: 'Sing.',
        PASS__2: 'sesame-5678',
      },
    },
    see: async ({ state, stand, requests }) => {
      const children = Object.values(state.frames).filter(({ agent: name }) => name === 'child');
      expect(children.map(({ name, messages }) => [name, messages[0]?.text])).toEqual([
        ['Ann', 'Paint.'],
        ['Bea', 'Sing.'],
      ]);
      expect(children.map(({ env }) => Object.keys(env))).toEqual([['PASS'], ['PASS']]);
      expect(root(state).env).toMatchObject({ WHO: null, PASS: null, WHO__2: null, PASS__2: null });
      expect(JSON.stringify(requests)).not.toContain('sesame');
      expect(await stand.everything()).not.toContain('sesame');
    },
  },
  {
    name: 'immediate by variables: no more children than the configuration allows',
    project: withChild(
      "blocking: false, immediate: { nameEnv: 'WHO' }, resumable: { receives_messages: 'side_a', maxInstances: 1, parentCommunication: 'explicit' }",
    ),
    lanes: {
      clerk: [{ text: 'Hi.' }],
      side_a: [calls('done', { text: 'ok' }), calls('done', { text: 'ok' })],
    },
    start: { env: { WHO: 'Ann', WHO__2: 'Bea' } },
    see: ({ state }) => {
      const children = Object.values(state.frames).filter(({ agent: name }) => name === 'child');
      expect(children.map(({ name }) => name)).toEqual(['Ann']);
    },
  },
];

describe('subagents', () => {
  testCases(SUBAGENTS);

  it.each([
    { receives: 'side_a', role: 'user', heard: 'user: More?', speaks: 'side_a' },
    { receives: 'side_b', role: 'assistant', heard: 'user: More?', speaks: 'side_b' },
  ])('a word to $receives goes on where the child was, in the right voice', async (row) => {
    const clerk: ScriptStep[] = [create('Ann'), { text: 'Well.' }];
    const stand = await openStand(withChild(`resumable: { receives_messages: '${row.receives}' }`), {
      clerk,
      side_a: [calls('done', { text: 'one' }), calls('done', { text: 'two' })],
      side_b: [{ text: 'B hears.' }, { text: 'B hears more.' }],
    });
    try {
      const { id } = child(await stand.start());
      // The model knows the reference from what it was told.
      clerk.push(calls('subagent_message', { referenceId: id, message: 'More?' }), { text: 'Thanks.' });
      const state = await stand.say('Ask again.');
      const told = child(state).messages.find(({ text }) => text === 'More?');
      expect(told).toMatchObject({ role: row.role, from: 'parent' });
      const first = stand.requests
        .slice(4)
        .find(({ messages }) => messages[0]?.content === `I am ${row.speaks}.`);
      expect(said(first)).toContain(row.heard);
      expect(toolTexts(stand.requests.at(-1))).toEqual([`two\n\nreference: ${id}`]);
      expect(root(state).outcome).toMatchObject({ status: 'done', text: 'Thanks.' });
    } finally {
      await stand.close();
    }
  });
});
