import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pendingApprovals } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import type { ProviderConfig } from '@cuebook/provider';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import {
  CODEX_KEY,
  claudeEnvironment,
  codexEnvironment,
  codexSettings,
  geminiEnvironment,
  writeGeminiSettings,
} from '../../../../test/model-server/agents.js';
import {
  type ModelServer,
  type ScriptedCall,
  type ScriptedStep,
  startModelServer,
} from '../../../../test/model-server/index.js';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it } from '../../../../test/runs.js';
import {
  call,
  type HostStand,
  hostStand,
  nodeOf,
  problems,
  startRun,
  stateOf,
  until,
} from '../../test/host-stand.js';
import { nodesOf, type TeamState } from '../run/state.js';
import type { TeamHost } from './contract.js';

/** How one of the real programs is set up, and what its model calls things. */
interface RealCli {
  readonly name: 'claude' | 'codex' | 'gemini';
  /** It is told why something was denied in a prompt of its own. */
  readonly isToldLater?: boolean;
  readonly config: (path: string, base: string) => ProviderConfig['providers'][string];
  readonly env: (base: string) => Readonly<Record<string, string>>;
  readonly home?: (home: string) => void;
  readonly model?: string;
  /** How its model spells the path of a file that it writes. */
  readonly spells: 'whole' | 'relative';
  /** Our tool, as its model sees it. */
  readonly ours: (tool: string) => string;
  readonly write: (file: string) => ScriptedCall;
  readonly shell: (command: string) => ScriptedCall;
}

const CLIS: readonly RealCli[] = [
  {
    name: 'claude',
    config: (command, base) => ({
      kind: 'claude',
      command,
      env: claudeEnvironment(base),
    }),
    env: () => ({}),
    spells: 'whole',
    ours: (tool) => `mcp__cuebook__${tool}`,
    write: (file) => ({ id: 'toolu_w', name: 'Write', args: { file_path: file, content: 'made here\n' } }),
    shell: (command) => ({ id: 'toolu_s', name: 'Bash', args: { command, description: 'runs' } }),
  },
  {
    name: 'codex',
    config: (command, base) => ({
      kind: 'codex',
      command,
      allow: [CODEX_KEY],
      config: codexSettings(base),
    }),
    env: () => codexEnvironment,
    spells: 'relative',
    ours: (tool) => tool,
    write: (file) => ({
      id: 'call_w',
      name: 'apply_patch',
      input: `*** Begin Patch\n*** Add File: ${file}\n+made here\n*** End Patch\n`,
    }),
    shell: (cmd) => ({ id: 'call_s', name: 'exec_command', args: { cmd, yield_time_ms: 20_000 } }),
  },
  {
    name: 'gemini',
    isToldLater: true,
    config: (command) => ({ kind: 'gemini', command, allow: [], trust: true }),
    env: geminiEnvironment,
    home: writeGeminiSettings,
    model: 'gemini-2.5-flash',
    spells: 'whole',
    ours: (tool) => `mcp_cuebook_${tool}`,
    write: (file) => ({ name: 'write_file', args: { file_path: file, content: 'made here\n' } }),
    shell: (command) => ({ name: 'run_shell_command', args: { command } }),
  },
];

const TEAM = (model: string | undefined): string => `
goal: Leave a note.
done: ["made.txt is there"]
provider: real
nodes: [{ alias: lead, role: orchestrator${model === undefined ? '' : `, model: ${model}`} }]
`;

let stand: HostStand | undefined;
afterEach(async () => {
  if (problems.length > 0) console.error(problems.splice(0));
  await stand?.remove();
  stand = undefined;
});

/** What the model says, to whoever asks: first the one who leads, then the writer, then the first again. */
const stepsOf = (cli: RealCli, made: () => Promise<string>): readonly ScriptedStep[] => [
  // A node by a native call, an edge and a handoff by lines in the answer.
  {
    toolCalls: [
      {
        id: 'call_spawn',
        name: cli.ours('spawn_node'),
        args: {
          ...{ label: 'Writer', alias: 'writer', roleTemplate: 'implementer' },
          permissions: { cliPermissionsMode: 'gated' },
        },
      },
    ],
  },
  {
    text: [
      'I have a writer now.',
      call('create_edge', { from: 'lead', to: 'writer' }),
      call('send_handoff', { to: 'writer', message: 'Write made.txt.' }),
    ].join('\n'),
  },
  // The writer's own tools, each asked about.
  async () => ({ toolCalls: [cli.write(cli.spells === 'whole' ? await made() : 'made.txt')] }),
  { toolCalls: [cli.shell('touch not-allowed')] },
  { text: `It is written.\n${call('send_handoff', { to: 'lead', message: 'made.txt is there.' })}` },
  ...(cli.isToldLater ? [{ text: 'I see.' }] : []),
  { text: `Thank you.\n${call('finish_run', { ok: true, summary: 'The note is there.' })}` },
];

interface Asked {
  readonly input: unknown;
  readonly changes: unknown;
}

const isWaiting = (state: TeamState): boolean => pendingApprovals(state.approvals).length > 0;
const isStuck = (state: TeamState): boolean => nodesOf(state).some(({ hold }) => hold !== null);

/** A person who allows the first thing and denies the second; the answer is what was asked, and what was shown. */
async function decide(host: TeamHost, run: RunId): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const decision of ['allow', 'deny'] as const) {
    await until(host, run, (state) => isWaiting(state) || isStuck(state));
    const [row] = await host.approvals();
    const changes = await host.changes(run);
    asked.push({ input: row?.input, changes: changes.ok && changes.value.get(row?.id ?? '') });
    const answer = { type: 'approval.resolve', approval: row?.id ?? '', decision, by: 'ann' } as const;
    await host.submit(run, { ...answer, message: 'not on a Sunday', id: `${decision} ${row?.id}` });
  }
  return asked;
}

for (const cli of CLIS) {
  describePart(cli.name, `a team of ${cli.name} agents`, ({ path }) => {
    let server: ModelServer;
    beforeAll(async () => {
      server = await startModelServer();
    });
    afterAll(() => server.close());

    it('spawns, joins, hands over, uses its own tools, is denied one, and leaves a diff', async () => {
      const base = server.laneUrl('team');
      const opened = await hostStand({
        git: true,
        files: { 'a.txt': 'one\n' },
        config: { providers: { real: cli.config(path, base) } },
        env: cli.env(base),
        inHome: true,
      });
      stand = opened;
      cli.home?.(opened.agentHome);
      const host = await opened.open();
      const folder = async (run: RunId): Promise<string> =>
        join(opened.homeFolder, 'workspaces', run, nodeOf(await stateOf(host, run), 'writer').node.id);
      const made = async (): Promise<string> => {
        const [row] = await host.runs();
        return join(await folder(row?.run as RunId), 'made.txt');
      };
      server.script('team', stepsOf(cli, made));
      const run = await startRun(host, { team: { text: TEAM(cli.model) } });
      const asked = await decide(host, run);
      const state = await until(host, run, (now) => now.status === 'completed' || isStuck(now));
      await host.drain();
      expect(state).toMatchObject({ status: 'completed', result: { summary: 'The note is there.' } });
      expect(asked[0]?.changes).toEqual([{ file: 'made.txt', patch: '+made here' }]);
      expect(JSON.stringify(asked[1]?.input)).toContain('touch not-allowed');
      expect(JSON.stringify(asked)).not.toContain(opened.root);
      expect(state.edges).toHaveLength(1);
      const files = ['made.txt', 'not-allowed'];
      const own = await folder(run);
      expect(files.map((file) => existsSync(join(own, file)))).toEqual([true, false]);
      const events = await opened.store.read(run);
      const [hash] = events.flatMap(({ type, data }) =>
        type === 'artifact.kept' ? [(data as { readonly hash: string }).hash] : [],
      );
      const diff = await host.artifact(run, hash ?? '');
      expect(diff.ok && diff.value).toContain('+made here');
      expect(events.filter(({ type }) => type === 'native.called')).toHaveLength(1);
      const said = server.lane('team').requests.map(({ text }) => text);
      expect(said.some((text) => text.includes('not on a Sunday'))).toBe(true);
    });
  });
}
