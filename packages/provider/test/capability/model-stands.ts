import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  ageGeminiSessions,
  CODEX_KEY,
  claudeEnvironment,
  codexEnvironment,
  codexSettings,
  geminiEnvironment,
  writeGeminiSettings,
} from '../../../../test/model-server/agents.js';
import type { ScriptedCall, ScriptedStep } from '../../../../test/model-server/index.js';
import { API_CAPABILITIES, createApiProvider } from '../../src/api/provider.js';
import type { ApiName } from '../../src/api/vendor.js';
import { CLAUDE_CAPABILITIES, createClaudeProvider } from '../../src/claude/provider.js';
import { CODEX_CAPABILITIES, createCodexProvider } from '../../src/codex/codex.js';
import { createGeminiProvider, GEMINI_CAPABILITIES } from '../../src/gemini/gemini.js';
import type { Provider, ProviderCapabilities } from '../../src/turn.js';
import type { AgentDesk } from '../agent-desk.js';
import { redactor } from '../play.js';
import type { Act, Stand } from './stand.js';

const KEY = 'fake-key-0123456789abcdef0123456789abcdef';

interface ModelStand {
  readonly name: string;
  readonly row: ProviderCapabilities;
  readonly model: string;
  readonly provider: (base: string, desk: AgentDesk) => Provider;
  /** How its model calls its own tool to write a file. */
  readonly write?: (path: string) => ScriptedCall;
  /** What its model calls our tool. */
  readonly ourTool: string;
  readonly between?: (desk: AgentDesk) => void;
}

/** A provider whose model is a lane of the desk's server. */
export function modelStand(desk: () => AgentDesk, stand: ModelStand): Stand {
  const { name, row, model, provider, between } = stand;
  return {
    name,
    row,
    words: (_act, more = 'go on') => more,
    begin(acts) {
      const lane = `${name}-${randomUUID()}`;
      const cwd = join(desk().cwd, lane);
      mkdirSync(cwd);
      const { server } = desk();
      server.script(
        lane,
        acts.flatMap((act) => stepsOf(act, stand)),
      );
      const voice = provider(server.laneUrl(lane), desk());
      return {
        enter: (options) => voice.open({ redactor, cwd, model, ...options }),
        knew: () =>
          server
            .lane(lane)
            .requests.filter(({ side }) => !side)
            .at(-1)
            ?.text.includes('heron') === true,
        isMade: (file) => existsSync(join(cwd, file)),
        ...(between && { between: () => between(desk()) }),
      };
    },
  };
}

/** Paths are relative: an answer with the real folder in it would be cleaned. */
function stepsOf(act: Act, { write, ourTool }: ModelStand): readonly ScriptedStep[] {
  if (act.kind === 'say') return [{ text: act.text }];
  if (act.kind === 'hang') return [{ text: act.text, hang: true }];
  const done = { text: 'Done.', times: 3 };
  if (act.kind === 'tool') return [{ toolCalls: [{ name: ourTool, args: { label: 'a' } }] }, done];
  return write === undefined ? [done] : [{ toolCalls: [write(act.file)] }, done];
}

export const apiStand = (desk: () => AgentDesk, api: ApiName): Stand =>
  modelStand(desk, {
    name: api,
    row: API_CAPABILITIES,
    model: api === 'google' ? 'gemini-2.5-flash' : 'model-1',
    provider: (base) =>
      createApiProvider({
        api,
        apiKey: KEY,
        baseUrl: api === 'google' || api === 'anthropic' ? base : `${base}/v1`,
        env: {},
      }),
    ourTool: 'spawn_node',
  });

export const claudeStand = (desk: () => AgentDesk, command: string): Stand =>
  modelStand(desk, {
    name: 'claude',
    row: CLAUDE_CAPABILITIES,
    model: 'model-1',
    provider: (base, { home }) =>
      createClaudeProvider({
        command,
        env: { PATH: process.env.PATH, HOME: home },
        set: claudeEnvironment(base),
      }),
    // Its tool for files asks with the full path, which an answer may not name.
    write: (path) => ({ name: 'Bash', args: { command: `echo made > ${path}`, description: 'Write' } }),
    ourTool: 'mcp__cuebook__spawn_node',
  });

export const codexStand = (desk: () => AgentDesk, command: string): Stand =>
  modelStand(desk, {
    name: 'codex',
    row: CODEX_CAPABILITIES,
    model: 'gpt-5.5',
    provider: (base, { home }) =>
      createCodexProvider({
        command,
        environment: { PATH: process.env.PATH, HOME: home, ...codexEnvironment },
        allow: [CODEX_KEY],
        config: codexSettings(base),
      }),
    write: (path) => ({
      name: 'apply_patch',
      input: `*** Begin Patch\n*** Add File: ${path}\n+made\n*** End Patch\n`,
    }),
    ourTool: 'spawn_node',
  });

export const geminiStand = (desk: () => AgentDesk, command: string): Stand =>
  modelStand(desk, {
    name: 'gemini',
    row: GEMINI_CAPABILITIES,
    model: 'gemini-2.5-flash',
    provider: (base, { home }) => {
      writeGeminiSettings(home);
      return createGeminiProvider({
        command,
        trust: true,
        environment: { PATH: process.env.PATH, HOME: home, ...geminiEnvironment(base) },
      });
    },
    write: (path) => ({ name: 'write_file', args: { file_path: path, content: 'made\n' } }),
    ourTool: 'mcp_cuebook_spawn_node',
    between: ({ home }) => ageGeminiSessions(home),
  });
