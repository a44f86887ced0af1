import { fileURLToPath } from 'node:url';
import { memorySource } from '@cuebook/files';
import { composeTarget } from '@cuebook/profile';
import { toMessages } from '@cuebook/prompt';
import { connectServers } from '@cuebook/provider/servers';
import { expect, onTestFinished } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { AGENTS, packageTexts } from '../../test/fixture.js';
import { hash } from '../../test/hash.js';
import { runDesk } from '../../test/run-desk.js';
import { VOICES } from '../compose/told.js';
import { createWorkflowProfile } from '../profile.js';

const CHILD = fileURLToPath(new URL('../../../provider/test/fixtures/mcp/server.mjs', import.meta.url));
const TERMINAL = { terminal: { enabled: true } };
const INPUTS = [undefined, 'Begin with the shop.', 'Look at /Users/zebulon/x, please'] as const;
const DATA = { label: 'Notes', path: '@project/notes.md', text: 'The notes.' };

it.each(
  VOICES.flatMap((voice) =>
    (['run', 'agent', 'chat'] as const).flatMap((mode) =>
      INPUTS.flatMap((input) =>
        mode !== 'run' && input === undefined
          ? []
          : ([
              [voice, mode, input, {}, undefined],
              [voice, mode, input, TERMINAL, DATA],
            ] as const),
      ),
    ),
  ),
)(
  'what is rendered is the first turn, byte for byte: %s, %s, %s',
  async (voice, mode, input, settings, data) => {
    const desk = await runDesk({
      steps: [{ text: 'Seen.' }],
      settings,
      facts: { mode },
      voice: { kind: voice },
      ...(data === undefined ? {} : { data }),
    });
    const run = await desk.open();
    await run.play(input);
    const source = memorySource(packageTexts());
    if (!source.ok) throw new Error(source.error.code);
    const { redactor } = desk;
    const profile = createWorkflowProfile({ redactor, settings });
    const bench = { profiles: [profile], project: source.value, hash, redactor };
    const composed = await composeTarget(bench, 'workflow:.', {
      mode,
      voice,
      ...(input === undefined ? {} : { input }),
      ...(data === undefined ? {} : { data }),
    });
    if (!composed.ok) throw new Error(composed.diagnostics[0]?.message);
    const [first] = desk.requests;
    const shown = toMessages(composed.value.prompt).map(({ role, content }) => ({ role, content }));
    expect(first?.messages.map(({ role, content }) => ({ role, content }))).toEqual(shown);
    expect(first?.tools).toEqual(JSON.parse(JSON.stringify(composed.value.request.tools)));
  },
);

it.each(VOICES)(
  'what is rendered has the tools of MCP servers as the first turn has them: %s',
  async (voice) => {
    const settings = { mcp: { enabled: true } };
    const parts = {
      agents: {
        ...AGENTS,
        agents: AGENTS.agents.map((each) => ({ ...each, tools: { mcp: { enabled: true } } })),
      },
    };
    const small = { command: process.execPath, args: [CHILD], allow: [], timeoutMs: 30_000 };
    const desk = await runDesk({ steps: [{ text: 'Seen.' }], settings, parts, voice: { kind: voice } });
    const { redactor, requests, project } = desk;
    const connect = (names: readonly string[]) =>
      connectServers(Object.fromEntries(names.map((name) => [name, small])), {
        ...{ env: process.env, cwd: project, redactor },
      });
    const servers = await connect(['small']);
    onTestFinished(() => servers.close());
    const run = await desk.open({ servers });
    await run.play('Begin.');
    const source = memorySource(packageTexts(parts));
    if (!source.ok) throw new Error(source.error.code);
    const render = async (options: Parameters<typeof createWorkflowProfile>[0]) => {
      const profile = createWorkflowProfile({ redactor, settings, ...options });
      const bench = { profiles: [profile], project: source.value, hash, redactor };
      const composed = await composeTarget(bench, 'workflow:.', { voice, input: 'Begin.' });
      if (!composed.ok) throw new Error(composed.diagnostics[0]?.message);
      return composed.value;
    };
    const shown = await render({
      servers: async () => {
        const asked = await connect(['small']);
        await asked.close();
        return asked;
      },
    });
    const names = shown.request.tools.map(({ name }) => name);
    expect(names.filter((name) => /small/.test(name)).length).toBe(5);
    expect(requests[0]?.tools).toEqual(JSON.parse(JSON.stringify(shown.request.tools)));
    expect(requests[0]?.messages.map(({ role, content }) => ({ role, content }))).toEqual(
      toMessages(shown.prompt).map(({ role, content }) => ({ role, content })),
    );
    expect(shown.diagnostics).toEqual([]);
    const gone = await render({ servers: async () => ({ tools: [], problems: ['It is gone.'] }) });
    expect(gone.diagnostics).toMatchObject([{ code: 'W_MCP_SERVER', message: 'It is gone.' }]);
    const stranger = await render({
      trustOf: () => ({ trust: 'external' }),
      servers: async () => {
        throw new Error('a server was asked for a package that nobody accepted');
      },
    });
    expect(stranger.diagnostics.map(({ code }) => code)).toContain('W_MCP_SERVER');
  },
);
