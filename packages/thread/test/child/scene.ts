import type { Script } from '@cuebook/provider';
import { agent, hook, model, prompt, tool } from '../project.js';

/** Writes one line into the world; nothing else tells whether it was done. */
const acts = (more: string): string =>
  `import { appendFileSync } from 'node:fs';\n${tool(
    "appendFileSync(state.env('WORLD'), args.n + '\\n'); return { status: 'success', result: 'acted ' + args.n };",
    `args: z.object({ n: z.string() }), ${more}`,
  )}`;

/** A thread with tools of both policies, a sub-prompt, a subagent and a hook. */
export const SCENE: Readonly<Record<string, string>> = {
  'models/fast.ts': model('fast'),
  'prompts/clerk.ts': prompt(
    'clerk',
    "includeChat: true, includePastTools: true, tools: ['acts', 'again', 'helper', 'child'], hooks: ['loud'],",
  ),
  'prompts/helper.ts': prompt('helper', "tools: ['again'],"),
  'prompts/side_a.ts': prompt('side_a', "tools: ['acts', 'done'],"),
  'prompts/side_b.ts': prompt('side_b'),
  // The second call in the first conversation, and the one of the child, are a person's to allow.
  'tools/acts.ts': acts("approval: ({ n }) => n === '3' || (n === '5' && 'The child acts.'),"),
  'tools/again.ts': acts('idempotent: true,'),
  'tools/done.ts': tool("return { status: 'success', result: 'over' };", 'idempotent: true,'),
  'hooks/loud.ts': hook('after_system_message', 'loud', "return args[0] + ' Be loud.';"),
  'agents/desk.ts': agent('desk', "sideA: { prompt: 'clerk' }"),
  'agents/child.ts': agent(
    'child',
    "type: 'dual_ai', exposeAsTool: true, toolDescription: 'Works', sideA: { prompt: 'side_a', sessionStop: 'done' }, sideB: { prompt: 'side_b' }",
  ),
};

const call = (name: string, args: Readonly<Record<string, string>>) => ({ toolCalls: [{ name, args }] });

export const SCRIPT: Script = {
  lanes: {
    clerk: [
      call('acts', { n: '1' }),
      {
        text: 'Now two.',
        toolCalls: [
          { name: 'again', args: { n: '2' } },
          { name: 'acts', args: { n: '3' } },
        ],
      },
      call('helper', {}),
      call('child', { message: 'Go.' }),
      { text: 'All done.' },
    ],
    helper: [call('again', { n: '4' })],
    side_a: [call('acts', { n: '5' }), { text: 'Nearly.' }, call('done', {})],
    side_b: [{ text: 'Go on, then.' }],
  },
};
