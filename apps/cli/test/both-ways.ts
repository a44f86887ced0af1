import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_SCRIPT } from '@cuebook/resident';
import { desk, tool } from '../../../packages/thread/test/project.js';
import { ROOT } from '../../../test/root.js';
import { WORKFLOW_TEMPLATE } from '../src/init/workflow/template.js';
import { cuebook, folderWith } from './cuebook.js';
import { morningZone } from './morning.js';
import { serverUp } from './up.js';

const script = (...steps: readonly object[]): string => JSON.stringify({ lanes: { '*': steps } });
const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });
const lineCall = (name: string, args: object) => JSON.stringify({ tool_call: { name, args } });
const ASK = {
  widgetId: 'size',
  type: 'selection',
  message: 'How large?',
  options: [{ value: 'small' }, { value: 'large' }],
};
export const WORKFLOW = 'workflow:workflows/request';

/** A program that speaks when somebody lets it. */
const PROGRAM = `import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tell = (line) => console.log(JSON.stringify(line));
for await (const line of createInterface({ input: process.stdin })) {
  if (JSON.parse(line).kind !== 'prompt') continue;
  while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
  tell({ kind: 'text', text: 'Well.' });
  tell({ kind: 'end', reason: 'done' });
}
`;
const PAY = `import { defineTool } from '@cuebook/define';
import { z } from 'zod';
export default defineTool({
  description: 'Pays', args: z.object({ sum: z.number() }), approval: 'always',
  execute: async (_, { sum }) => ({ status: 'success', result: 'paid ' + sum }),
});
`;
/** A tool that waits until somebody lets it go on. */
const GATE = tool(`const { existsSync } = await import('node:fs');
  while (!existsSync(new URL('../../go', import.meta.url))) await new Promise((resolve) => setTimeout(resolve, 20));
  return { status: 'success', result: 'open' };`);
const FILES = {
  ...WORKFLOW_TEMPLATE,
  'cuebook.yaml': `${WORKFLOW_TEMPLATE['cuebook.yaml']}\nproviders: { words: { kind: line, command: ${process.execPath}, args: [words.mjs] } }\nkinds: { ledger: ${join(ROOT, 'examples/kind-ledger/ledger.mjs')} }\n`,
  'words.mjs': PROGRAM,
  ...Object.fromEntries(
    Object.entries(
      desk("tools: ['look', 'pay', 'gate'],", {
        'tools/gate.ts': GATE,
        'tools/look.ts': tool("return { status: 'success', result: 'seen' };"),
        'tools/pay.ts': PAY,
      }),
    ).map(([path, text]) => [`agents/${path}`, text]),
  ),
  'sheets/greet.yaml':
    'title: Greet\ninputs:\n  mail: { trust: external, secrecy: public, volatility: turn, description: What came, example: Hi }\nblocks:\n  - { name: mail, role: user, parts: [{ input: mail }] }\n',
  'manifests/clerk.yaml': `apiVersion: kagent.dev/v1alpha2
kind: Agent
metadata: { name: clerk, namespace: default }
spec: { description: Answers, declarative: { modelConfig: default, systemMessage: 'You are {{.AgentName}}.' } }
`,
  'ledgers/shop.md': 'You keep a ledger.\n',
  'team.yaml': 'goal: Answer.\nnodes:\n  - { alias: lead, role: orchestrator }\n',
  'asking.yaml':
    'goal: Answer.\nmode: INTERACTIVE\nnodes:\n  - { alias: lead, role: orchestrator, permissions: { cliPermissionsMode: gated } }\n',
  'order.json': script(
    { text: lineCall('command', { cmd: 'echo hi' }) },
    { text: lineCall('finish_run', { ok: true, summary: 'Told.' }) },
  ),
  'talk.json': script({ text: 'Hello.' }, { text: 'Again.' }),
  'look.json': script({ text: 'Let me see.', ...call('look', {}) }, { text: 'Seen.' }),
  'pay.json': script(call('pay', { sum: 50 }), { text: 'Well then.' }),
  'ask.json': script(call('ui.ask_user', ASK), { text: 'Thanks.' }),
  'none.json': script(call('fs.read', { path: '@project/none.md' }), { text: 'It is not there.' }),
  'fail.json': script({ error: { status: 401 } }, { text: 'Back.' }),
  'gate.json': script(call('gate', {}), { text: 'Open.' }),
  'bad.json': '{"lanes": 3}',
  'life.json': JSON.stringify(SAMPLE_SCRIPT),
};

/** A town in which an agent lives. */
const TOWN = [
  'platform init --rehearsal --name town',
  'card new ada --name Ada --public --personality 0.7,0.9,0.6,0.5',
  'card submit ada --by olga',
  'card approve ada@1 --by rosa',
  'bundle publish',
];
const LIFE = {
  'agent.yaml': `agent: ada\nstore: .cuebook/platform/objects\nlog: town\nzone: ${morningZone()}\n`,
};

/** The folder of an agent that lives in a town. */
async function home(): Promise<string> {
  const cwd = folderWith({ ...FILES, ...LIFE });
  for (const line of TOWN) {
    const done = await cuebook(line.split(' '), { cwd });
    if (done.code !== 0) throw new Error(done.stderr);
  }
  copyFileSync(join(cwd, '.cuebook/platform/objects/trust/shared/1.root.json'), join(cwd, 'root.json'));
  return cwd;
}

/** A project; with a server that is up until the test is over. */
export async function project(hasServer: boolean, { hasTown = false } = {}) {
  const cwd = hasTown ? await home() : folderWith(FILES);
  if (hasServer) await serverUp(cwd);
  return cwd;
}

/** Without what differs from run to run. */
const bare = (text: string): string =>
  text
    .replace(/run_[a-z0-9]{12,}/g, 'RUN')
    .replace(/(?:msg|apr|call|eff|turn|node)_[a-z0-9-]{8,}/g, 'ID')
    .replace(/"(?:since|seq|expiresAt|askedAt)": \d+/g, '"n"')
    .replace(/"(?:startedAt|lastAt|at)": (?:\d+|"[^"]*")/g, '"at"')
    .replace(/"?sha256:[0-9a-f]{8,64}…?"?/g, 'HASH')
    .replace(/\d+ tokens/g, 'n tokens')
    .replace(/"owner":"[^"]*"|\b\d{13}\b/g, 'n')
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replace(/http:\/\/127\.0\.0\.1:\d+\/\S*/g, 'URL');

export type Outcome = Awaited<ReturnType<typeof cuebook>>;
export const told = ({ code, stdout, stderr }: Outcome) => [code, bare(stdout), bare(stderr)];
const lastRun = ({ stdout, stderr }: Outcome): string | undefined =>
  /run_[a-z0-9]{8,}/.exec(stderr + stdout)?.[0];

/**
 * What calls tell, one after another, in a project without a server and in one that has a server up. `LAST` in a call is
 * the run of the call before, `APPROVAL` what waits last.
 */
export const bothWays = async (
  calls: readonly (readonly string[])[],
): Promise<readonly (readonly (readonly unknown[])[])[]> => {
  const hasTown = calls.some((call) => call.includes('resident:ada'));
  const places = [await project(false, { hasTown }), await project(true, { hasTown })];
  return Promise.all(places.map((cwd) => outcomesIn(cwd, calls)));
};

async function outcomesIn(cwd: string, calls: readonly (readonly string[])[]) {
  const all: (readonly unknown[])[] = [];
  const names: Record<string, string> = {};
  for (const args of calls) {
    const ran = await cuebook(
      args.map((word) => word.replace(/LAST|APPROVAL/, (name) => names[name] ?? name)),
      { cwd },
    );
    if (args[0] === 'run') names.LAST = lastRun(ran) ?? names.LAST ?? '';
    names.APPROVAL = /apr_[a-z0-9]+/.exec(ran.stderr + ran.stdout)?.[0] ?? names.APPROVAL ?? '';
    all.push([args.join(' '), ...told(ran)]);
  }
  return all;
}
