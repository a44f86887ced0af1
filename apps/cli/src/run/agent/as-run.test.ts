import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type ModelServer, startModelServer } from '../../../../../test/model-server/index.js';
import { itInTurn as it } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';

const define = (kind: string, body: string): string =>
  `import { define${kind} } from '@cuebook/define';\nexport default define${kind}({ ${body} });\n`;

const project = (provider: string) => ({
  'agents/models/fast.ts': define(
    'Model',
    `name: 'fast', provider: '${provider}', model: '${provider === 'google' ? 'gemini-2.5-flash' : 'model-1'}'`,
  ),
  'agents/prompts/clerk.ts': define(
    'Prompt',
    `name: 'clerk', toolDescription: 'Helps', model: 'fast', prompt: 'You help.', hooks: ['minds', 'ends'], reasoning: { effort: 'low', maxTokens: 3000 },
     variables: [{ name: 'GUEST', type: 'text', required: true, description: 'Who asks' }]`,
  ),
  'agents/hooks/minds.ts': define(
    'Hook',
    `hook: 'after_system_message', id: 'minds', execute: (state, text) => text + ' Mind the guest: ' + state.env('GUEST').toUpperCase()`,
  ),
  'agents/hooks/ends.ts': define(
    'Hook',
    `hook: 'prefilter_llm_history', id: 'ends', execute: (state, list) => [...list, { role: 'user', content: 'Be brief.' }]`,
  ),
  'agents/agents/desk.ts': define('Agent', "name: 'desk', sideA: { prompt: 'clerk' }"),
});

const KEY = 'fake-key-0123456789abcdef0123456789abcdef';

describe('render of a definition', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  it.each(['rehearsal', 'openai', 'openai-chat', 'anthropic', 'google', 'compatible'])(
    'is what the first turn of a run is told, hooks included: %s',
    async (api) => {
      const url = server.laneUrl(`as-run-${api}`);
      server.script(`as-run-${api}`, [{ text: 'Good day.' }, { text: 'Good day.' }]);
      const env = {
        OPENAI_API_KEY: KEY,
        OPENAI_BASE_URL: `${url}/v1`,
        ANTHROPIC_API_KEY: KEY,
        ANTHROPIC_BASE_URL: url,
        GEMINI_API_KEY: KEY,
        GOOGLE_GEMINI_BASE_URL: url,
        CUEBOOK_COMPATIBLE_URL: `${url}/v1`,
        CUEBOOK_COMPATIBLE_KEY: KEY,
      };
      const here = { cwd: folderWith(project(api)), env };
      // What a prompt by itself is told does not depend on who hears it.
      for (const target of api === 'rehearsal' ? ['agent:desk', 'prompt:clerk'] : ['agent:desk']) {
        const given = [target, '--input', 'Who are you?', '--env', 'GUEST=rascal of room 7'];
        const shown = await cuebook(['render', ...given, '--json'], here);
        expect(shown.stderr).toBe('');
        const document = JSON.parse(shown.stdout);
        expect(document.messages[0].content).toBe('You help. Mind the guest: [the HOOK_WORDS 1 below]');
        expect(document.messages.at(-1)).toMatchObject({ role: 'user', content: 'Be brief.' });
        expect(JSON.stringify(document.diagnostics)).toContain('W_HOOK_WORDS');
        const ran = await cuebook(['run', ...given, '--json'], here);
        const { run } = JSON.parse(ran.stdout);
        const replayed = JSON.parse((await cuebook(['replay', run, '--json'], here)).stdout);
        expect(replayed.hash).toBe(document.hash);
        for (const key of ['messages', 'tools', 'params']) expect(replayed[key]).toEqual(document[key]);
      }
    },
  );

  it('tells of a hook that fails, and shows what is told without it', async () => {
    const files = {
      ...project('rehearsal'),
      'agents/hooks/minds.ts': define(
        'Hook',
        "hook: 'after_system_message', id: 'minds', execute: () => { throw new Error('not today'); }",
      ),
    };
    const args = ['render', 'agent:desk', '--input', 'Hi.', '--env', 'GUEST=x', '--json'];
    const shown = await cuebook(args, { cwd: folderWith(files) });
    const document = JSON.parse(shown.stdout);
    expect(document.messages[0].content).toBe('You help.');
    expect(document.diagnostics.map(({ code }: { readonly code: string }) => code)).toContain(
      'W_HOOK_FAILED',
    );
  });
});
