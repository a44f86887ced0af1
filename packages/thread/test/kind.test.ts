import { describeKind, projectFile } from '../../host/test/conformance.js';
import { threadRuns } from '../src/kind/thread-kind.js';
import { desk, tool } from './project.js';

const inAgents = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`agents/${path}`, text]));

/** Pays by writing a line, once a person has allowed it. */
const PAY = `import { appendFileSync } from 'node:fs';
${tool(
  `appendFileSync(new URL('../../paid.txt', import.meta.url), args.to); return { status: 'success', result: 'paid' };`,
  `approval: 'always', args: z.object({ to: z.string() }),`,
)}`;

/** Leaves a mark in the world each time that it is called. */
const NOTE = `import { appendFileSync } from 'node:fs';
${tool(`appendFileSync(new URL('../../noted.txt', import.meta.url), 'noted'); return { status: 'success', result: 'done' };`)}`;
const LOOK = tool(`return { status: 'success', result: 'nothing new' };`);

describeKind('a thread', {
  kind: () => threadRuns,
  files: inAgents(
    desk("tools: ['pay', 'note', 'look'],", {
      'tools/pay.ts': PAY,
      'tools/note.ts': NOTE,
      'tools/look.ts': LOOK,
    }),
  ),
  target: 'agent:desk',
  script: (steps) => JSON.stringify({ lanes: { '*': steps } }),
  afterWords: 'done',
  asks: {
    step: { text: '', toolCalls: [{ id: 'c1', name: 'pay', args: { to: 'Bob' } }] },
    changed: { to: 'Eve' },
    isDone: (stand) => projectFile(stand, 'paid.txt'),
    done: 'Bob',
    changedTo: 'Eve',
  },
  told: { text: 'I am clerk.', ref: 'prompts/clerk.ts' },
  edit: { file: 'agents/prompts/clerk.ts', from: 'I am clerk.', to: 'I am another clerk.' },
  stalls: { text: '', toolCalls: [{ name: 'look', args: {} }] },
  doubts: {
    step: { text: '', toolCalls: [{ id: 'c1', name: 'note', args: {} }] },
    hit: 2,
    isDone: (stand) => projectFile(stand, 'noted.txt'),
    done: 'noted',
  },
});
