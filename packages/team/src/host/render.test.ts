import { hash as sha } from 'node:crypto';
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunId, rebuildTurn } from '@cuebook/journal';
import { composeTarget, type Workbench } from '@cuebook/profile';
import { createRedactor } from '@cuebook/prompt';
import { NO_CONFIG, type ProviderConfig, providerCatalog, readProviderConfig } from '@cuebook/provider';
import { askServers, readServers } from '@cuebook/provider/servers';
import { afterAll, describe, expect } from 'vitest';
import { inTurn, itInTurn as it, sampled } from '../../../../test/runs.js';
import { type HostStand, hostStand, scriptOf, startRun, until } from '../../test/host-stand.js';
import { warnedProfiles } from '../profile/warned.js';
import { nodesOf } from '../run/state.js';

const SERVER = fileURLToPath(new URL('../../../provider/test/fixtures/mcp/server.mjs', import.meta.url));
const CONFIG = `providers:
  own-line: { kind: line, command: no-such-program }
  own-raw: { kind: raw, command: no-such-program }
  own-acp: { kind: acp, command: no-such-program }
  own-claude: { kind: claude, command: no-such-program }
  own-codex: { kind: codex, command: no-such-program, transport: exec }
  own-model: { kind: compatible, baseUrl: 'http://127.0.0.1:9/v1' }
team:
  limits: { parallel: 3 }
servers:
  small: ${JSON.stringify({ command: process.execPath, args: [SERVER] })}
  gone: { command: no-such-program }
`;

const config = (): ProviderConfig => {
  const read = readProviderConfig(CONFIG, 'cuebook.yaml');
  return read.ok ? read.value : NO_CONFIG;
};

/** A folder in which git is the only program. */
const GIT = realpathSync(mkdtempSync(join(tmpdir(), 'only-git-')));
const git = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'git'))
  .find((file) => existsSync(file));
symlinkSync(git ?? '/usr/bin/git', join(GIT, 'git'));

/** Nobody listens there, and no key is one. */
const NOWHERE = 'http://127.0.0.1:9';
const KEYS = {
  OPENAI_API_KEY: 'none',
  ANTHROPIC_API_KEY: 'none',
  GEMINI_API_KEY: 'none',
  CUEBOOK_COMPATIBLE_KEY: 'none',
  OPENAI_BASE_URL: `${NOWHERE}/v1`,
  CUEBOOK_COMPATIBLE_URL: `${NOWHERE}/v1`,
  ANTHROPIC_BASE_URL: NOWHERE,
  GOOGLE_GEMINI_BASE_URL: NOWHERE,
};

/** What a person's environment may say of the tools of agents. */
const ENVIRONMENTS = [
  {},
  { CUEBOOK_OWN_LINE_NATIVE_TOOLS: 'provider', CUEBOOK_OWN_ACP_NATIVE_TOOLS: 'cuebook' },
] as const;

const stands: HostStand[] = [];
afterAll(async () => {
  for (const stand of stands) await stand.remove();
  rmSync(GIT, { recursive: true });
});

const CASES = providerCatalog(config()).flatMap(({ name, kind }) =>
  // A model API is told which model.
  [...ENVIRONMENTS].map((env, index) => [name, index, env, kind === 'api' ? ', model: m-1' : ''] as const),
);

describe('render shows what is sent', () => {
  it.each(inTurn(sampled(CASES, 8), 4))('%s, environment %i', async (provider, _index, more, model) => {
    // No agent is found and no key is one: the words of a turn are on record before they are sent.
    const env = { PATH: GIT, ...KEYS, ...more };
    const team = `goal: Ship it.
done: [Tests pass.]
budget: { turns: 9 }
verify: [npm test]
nodes:
  - { alias: lead, label: Lead, role: orchestrator, provider: ${provider}${model}, override: Be brief., servers: [small.add, gone] }
  - { alias: dev, role: implementer, provider: ${provider}, workspace: { with: lead } }
  - { alias: raw, role: reviewer, provider: rehearsal }
edges: [{ from: lead, to: dev }]
`;
    const files = { 'team.yaml': team, 'cuebook.yaml': CONFIG };
    const stand = await hostStand({ files, config: config(), env });
    stands.push(stand);
    const host = await stand.open();
    const script = scriptOf({ '*': [{ text: 'x' }, { text: 'y' }, { text: 'z' }] });
    const run = await startRun(host, {
      team: { file: 'team.yaml' },
      ...(provider === 'rehearsal' ? { script } : {}),
    });
    const isClosed = (state: Parameters<Parameters<typeof until>[2]>[0]): boolean => state.turns > 0;
    const state = await until(host, run, isClosed);
    const effect = await firstRecorded(stand, run);
    const rebuilt = await rebuildTurn(stand.store, run, effect);
    if (!rebuilt.ok) throw new Error(rebuilt.error.code);
    const shown = await rendered(stand, env);
    const names = new Map<string, string>([
      [run, 'run_first'],
      ...nodesOf(state).map(({ node }, index) => [node.id, `node_${index + 1}`] as const),
      ...state.edges.map(({ id }, index) => [id, `edge_${index + 1}`] as const),
    ]);
    const plain = (text: string): string =>
      [...names].reduce((words, [real, shownAs]) => words.replaceAll(real, shownAs), text);
    const sent = rebuilt.value.request;
    expect(sent.prompt.blocks.map(({ name, role, text }) => [name, role, plain(text)])).toEqual(
      shown.prompt.blocks.map(({ name, role, text }) => [name, role, text]),
    );
    expect(sent.tools).toEqual(shown.tools);
    expect(shown.diagnostics.map(({ code }) => code)).toContain('W_MCP_SERVER');
    expect(JSON.stringify([sent.prompt.blocks, sent.tools])).toContain('mcp.small.add');
    await stand.stopAll();
  });
});

/** The id of the first turn that has a receipt: waited for by its event. */
async function firstRecorded({ store }: HostStand, run: RunId): Promise<string> {
  const stop = new AbortController();
  try {
    for await (const { type, data } of store.subscribe({ run, after: 0, signal: stop.signal })) {
      if (type === 'turn.recorded') return (data as { readonly turn: string }).turn;
      if (type === 'turn.closed') throw new Error(`nothing was recorded: ${JSON.stringify(data)}`);
    }
  } finally {
    stop.abort();
  }
  throw new Error('the events ended');
}

/** Asks the servers of the project, as `render` does. */
async function ask(_project: unknown, wanted: readonly string[]) {
  const read = readServers(CONFIG, 'cuebook.yaml');
  const redactor = createRedactor({ roots: [], private: [], names: [] });
  return askServers(read.ok ? read.value : {}, wanted, { env: process.env, cwd: '/', redactor });
}

async function rendered(stand: HostStand, env: Readonly<Record<string, string>>) {
  const hash = (text: string): string => `sha256:${sha('sha256', text)}`;
  const { role, team } = warnedProfiles({ home: stand.homeFolder, hash, env, servers: ask });
  const bench: Workbench = {
    ...{ profiles: [role, team], project: stand.options.files, hash },
    redactor: createRedactor({ roots: [], private: [], names: [] }),
  };
  const result = await composeTarget(bench, 'team:team.yaml', {});
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.value;
}
