import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rebuildTurn } from '@cuebook/journal';
import { expect, it } from 'vitest';
import { itInTurn } from '../../../test/runs.js';
import { describeKind, projectFile } from '../../host/test/conformance.js';
import { hostStand, must, until } from '../../host/test/stand.js';
import { workflowRuns } from '../src/kind/workflow-kind.js';
import { AGENTS, packageTexts } from './fixture.js';

const files = Object.fromEntries(
  Object.entries(packageTexts()).map(([path, text]) => [`workflows/hb/${path}`, text]),
);

/** A server of tools that pays by writing a line. */
const PAY = `import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tools = [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object', properties: { to: { type: 'string' } } } }];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'initialize')
    return say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'bank', version: '1' } });
  if (method === 'tools/list') return say({ tools });
  appendFileSync('paid.txt', params.arguments.to);
  say({ content: [{ type: 'text', text: 'paid' }] });
});
`;

describeKind('a workflow', {
  kind: () => workflowRuns,
  files: { ...files, 'cuebook.yaml': 'workflow: { tools: { terminal: { enabled: true } } }\n' },
  target: 'workflow:workflows/hb',
  script: (steps) => JSON.stringify({ lanes: { '*': steps } }),
  afterWords: 'waiting',
  told: { text: 'Role of sm', ref: 'agents.json' },
  edit: { file: 'workflows/hb/agents.json', from: 'Role of sm', to: 'Office of sm' },
  asks: {
    files: {
      'pay.mjs': PAY,
      'cuebook.yaml': JSON.stringify({
        workflow: {
          tools: { mcp: { enabled: true, approval: 'always' } },
          servers: { bank: { command: process.execPath, args: ['pay.mjs'] } },
        },
      }),
      'workflows/hb/agents.json': JSON.stringify({
        ...AGENTS,
        agents: AGENTS.agents.map((each) => ({ ...each, tools: { mcp: { enabled: true } } })),
      }),
    },
    step: { toolCalls: [{ name: 'mcp.bank.pay', args: { to: 'Bob' } }] },
    changed: { to: 'Eve' },
    isDone: (stand) => projectFile(stand, 'paid.txt'),
    done: 'Bob',
    changedTo: 'Eve',
  },
  stalls: { toolCalls: [{ name: 'fs.list', args: { path: '@project' } }] },
  doubts: {
    step: {
      toolCalls: [
        { name: 'terminal.run', args: { command: 'sh', args: ['-c', 'printf noted >> noted.txt'] } },
      ],
    },
    hit: 2,
    isDone: (stand) => projectFile(stand, 'noted.txt'),
    done: 'noted',
  },
});

const QUESTION = {
  widgetId: 'size',
  type: 'selection',
  message: 'How large?',
  options: [{ value: 'small' }, { value: 'very large' }],
};

itInTurn(
  'a question waits with the forms of its answer, and is answered in one of them, in another process',
  async () => {
    const stand = await hostStand({ kinds: [workflowRuns], files });
    try {
      const first = await stand.open();
      const script = JSON.stringify({
        lanes: { '*': [{ toolCalls: [{ name: 'ui.ask_user', args: QUESTION }] }, { text: 'Thanks.' }] },
      });
      const { run } = must(
        await first.begin({ id: 'q', by: 'ann', target: 'workflow:workflows/hb', script }),
      );
      await until(first, run, ({ waits }) => waits.length > 0);
      await stand.stopAll('wait');
      const host = await stand.open();
      const [wait] = await host.waiting();
      expect(wait).toMatchObject({
        ...{ run, kind: 'workflow', for: 'question', answers: ['small', 'very large'], example: 'small' },
        target: 'workflow:workflows/hb',
      });
      const said = { id: 'answer', by: 'ann' };
      expect(await host.answer(wait as never, { texts: ['medium'] }, said)).toMatchObject({
        ok: false,
        error: { code: 'E_REPLY', message: expect.stringContaining('very large') },
      });
      expect(await host.answer(wait as never, { decision: 'allow' }, said)).toMatchObject({ ok: false });
      must(await host.answer(wait as never, { texts: ['very', 'large'] }, said));
      const report = await until(host, run, ({ turns, status }) => turns === 2 && status !== 'running');
      expect(report).toMatchObject({ status: 'waiting', reason: 'input', text: 'Thanks.' });
      expect(await host.answer(wait as never, { texts: ['small'] }, { id: 'late', by: 'ann' })).toMatchObject(
        {
          ok: false,
          error: { code: 'E_WAIT_UNKNOWN', kind: 'notFound' },
        },
      );
    } finally {
      await stand.remove();
    }
  },
);

it('a turn that fails is asked of the models that the project names for that, in order', async () => {
  const settings = 'workflow: { fallbacks: [second, third] }\n';
  const stand = await hostStand({ kinds: [workflowRuns], files: { ...files, 'cuebook.yaml': settings } });
  try {
    const host = await stand.open();
    const busy = { error: { status: 503 } };
    const script = JSON.stringify({
      lanes: { third: [{ text: 'From the third.' }], second: [busy], '*': [busy] },
    });
    const target = 'workflow:workflows/hb';
    const { run } = must(await host.begin({ id: 'b', by: 'ann', target, script }));
    const report = await until(host, run, ({ status }) => status === 'waiting');
    expect(report).toMatchObject({ reason: 'input', text: 'From the third.' });
  } finally {
    await stand.remove();
  }
});

it('a package that nobody has accepted is not followed', async () => {
  const foreign = Object.fromEntries(
    Object.entries(packageTexts()).map(([path, text]) => [`node_modules/hb/${path}`, text]),
  );
  const stand = await hostStand({ kinds: [workflowRuns], files: foreign });
  try {
    const host = await stand.open();
    const begun = await host.begin({
      id: 'f',
      by: 'ann',
      target: 'workflow:node_modules/hb',
      script: JSON.stringify({ lanes: { '*': [{ text: 'Hello.' }] } }),
    });
    expect(begun).toMatchObject({ ok: false, error: { code: 'E_PACKAGE_UNACCEPTED' } });
  } finally {
    await stand.remove();
  }
});

itInTurn('a step that is read by a call is that of the beginning, in this process and the next', async () => {
  const stand = await hostStand({ kinds: [workflowRuns], files });
  try {
    const [step = ''] = Object.keys(files).filter((file) => file.includes('/steps/'));
    const path = step.replace('workflows/hb/', '@pkg/');
    const read = { toolCalls: [{ name: 'fs.read', args: { path } }] };
    const list = { toolCalls: [{ name: 'fs.list', args: { path: path.replace(/\/[^/]+$/, '') } }] };
    const script = JSON.stringify({
      lanes: { '*': [{ text: 'One.' }, read, list, { text: 'Two.' }, read, { text: 'Three.' }] },
    });
    const first = await stand.open();
    const { run } = must(await first.begin({ id: 's', by: 'ann', target: 'workflow:workflows/hb', script }));
    const still = (turns: number) => (each: { turns: number; status: string }) =>
      each.turns === turns && each.status !== 'running';
    await until(first, run, still(1));
    const was = readFileSync(join(stand.project, step), 'utf8');
    writeFileSync(join(stand.project, step), was.replaceAll(/\w+/g, 'edited'));
    must(await first.tell(run, { type: 'say', text: 'Read it.' }, { id: 'r1', by: 'ann' }));
    await until(first, run, still(4));
    await stand.stopAll('wait');
    rmSync(join(stand.project, 'workflows'), { recursive: true });
    const second = await stand.open();
    must(await second.tell(run, { type: 'say', text: 'Again.' }, { id: 'r2', by: 'ann' }));
    await until(second, run, still(6));
    const results = (await stand.store.read(run, {}))
      .filter(({ type }) => type === 'effect.settled')
      .map(({ data }) => JSON.stringify(data))
      .filter((text) => text.includes(path) || text.includes('.md'));
    expect(results.length).toBeGreaterThanOrEqual(3);
    expect(results.filter((text) => text.includes('edited'))).toEqual([]);
    const word = /[a-z]{5,}/.exec(was)?.[0] ?? '';
    expect(results.filter((text) => text.includes(word)).length).toBeGreaterThanOrEqual(2);
  } finally {
    await stand.remove();
  }
});

it('what the operator takes away in the middle of a run is not done, and the words stay', async () => {
  const allow = 'workflow: { tools: { fs: { enabled: true } } }\n';
  const stand = await hostStand({ kinds: [workflowRuns], files: { ...files, 'cuebook.yaml': allow } });
  try {
    const list = { toolCalls: [{ name: 'fs.list', args: { path: '@project' } }] };
    const script = JSON.stringify({ lanes: { '*': [{ text: 'One.' }, list, { text: 'Two.' }] } });
    const first = await stand.open();
    const { run } = must(await first.begin({ id: 'p', by: 'ann', target: 'workflow:workflows/hb', script }));
    await until(first, run, ({ turns, status }) => turns === 1 && status !== 'running');
    await stand.stopAll('wait');
    writeFileSync(join(stand.project, 'cuebook.yaml'), allow.replace('true', 'false'));
    const second = await stand.open();
    must(await second.tell(run, { type: 'say', text: 'List.' }, { id: 'l', by: 'ann' }));
    await until(second, run, ({ turns, status }) => turns === 3 && status !== 'running');
    const events = await stand.store.read(run, {});
    const turns = events.filter(({ type }) => type === 'turn.recorded');
    const requests = await Promise.all(
      turns.map(async ({ data }) =>
        must(await rebuildTurn(stand.store, run, (data as { readonly turn: string }).turn)),
      ),
    );
    const tools = requests.map(({ request }) => JSON.stringify(request.tools));
    expect(new Set(tools).size).toBe(1);
    expect(tools[0]).toContain('list');
    expect(JSON.stringify(events)).toContain('TOOL_NOT_ALLOWED');
  } finally {
    await stand.remove();
  }
});
