import { join } from 'node:path';
import { afterEach, expect, onTestFinished } from 'vitest';
import { type RecordedRequest, type Step, startModelServer } from '../../../../test/model-server/index.js';
import { itInTurn as it, itInTurn } from '../../../../test/runs.js';
import { type HostStand, hostStand, startRun, stateOf } from '../../test/host-stand.js';

let stand: HostStand;
afterEach(() => stand.remove());

const FILES = { 'a.md': 'The bird is a heron.\n', 'b.md': 'Bees.\n', 'c.md': 'Cats.\n' };
const teamOf = (provider: string, model = '') => `
goal: Name the bird of a.md.
nodes:
  - { alias: lead, role: orchestrator, provider: ${provider}${model} }
`;

it.each([
  ['openai', 'model-1'],
  ['openai-chat', 'model-1'],
  ['anthropic', 'model-1'],
  ['google', 'gemini-2.5-flash'],
  ['compatible', 'model-1'],
])('a node on %s knows what it read three turns ago', async (api, model) => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const read = (path: string): Step => ({
    text: `I read ${path}.`,
    toolCalls: [{ name: 'read_file', args: { path } }],
  });
  const answer = ({ text }: RecordedRequest): Step => {
    const summary = /heron/.test(text) ? 'A heron.' : 'I have forgotten it.';
    return { toolCalls: [{ name: 'finish_run', args: { ok: true, summary } }] };
  };
  server.script('team', [read('a.md'), read('b.md'), read('c.md'), answer]);
  const base = server.laneUrl('team');
  stand = await hostStand({
    git: true,
    files: { ...FILES, 'team.yaml': teamOf(api, `, model: ${model}`) },
    env: {
      OPENAI_BASE_URL: `${base}/v1`,
      CUEBOOK_COMPATIBLE_URL: `${base}/v1`,
      ANTHROPIC_BASE_URL: base,
      GOOGLE_GEMINI_BASE_URL: base,
      ...Object.fromEntries(
        ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'CUEBOOK_COMPATIBLE_KEY'].map((name) => [
          name,
          'key-for-tests',
        ]),
      ),
    },
  });
  const host = await stand.open();
  const run = await startRun(host, { team: { file: 'team.yaml' } });
  await host.drain();
  expect(server.lane('team').requests.flatMap(({ refused }) => refused ?? [])).toEqual([]);
  expect(await stateOf(host, run)).toMatchObject({ status: 'completed', result: { summary: 'A heron.' } });
});

itInTurn('a node on a program without sessions knows it too, in words', async () => {
  const program = `
    let text = '';
    process.stdin.on('data', (part) => { text += part; }).on('end', () => {
      const turn = text.split('THIS_TURN').length - 1;
      const call = (name, args) => console.log(JSON.stringify({ tool_call: { name, args } }));
      if (turn <= 3) return call('read_file', { path: ['a.md', 'b.md', 'c.md'][turn - 1] });
      call('finish_run', { ok: true, summary: /heron/.test(text) ? 'A heron.' : 'Forgotten.' });
    });`;
  stand = await hostStand({
    git: true,
    files: { ...FILES, 'team.yaml': teamOf('simple') },
    config: (root) => ({
      providers: {
        simple: {
          kind: 'raw',
          command: process.execPath,
          args: [join(root, 'simple.cjs')],
          env: {},
          allow: [],
        },
      },
    }),
  });
  stand.write('../simple.cjs', program);
  const host = await stand.open();
  const run = await startRun(host, { team: { file: 'team.yaml' } });
  await host.drain();
  expect(await stateOf(host, run)).toMatchObject({ status: 'completed', result: { summary: 'A heron.' } });
});
