import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventsOf, play, redactor } from '../../test/play.js';
import type { SessionOptions } from '../turn.js';
import type { AcpOptions } from './options.js';
import { createAcpProvider } from './provider.js';

// What five real agents said, played back by a program that insists on being answered as they were. Each was
// asked the same six things: a greeting, a file (allowed), a file (denied), a tool of ours, an answer that is
// broken off, and one that its model refused with 401.

const fixture = (path: string) => fileURLToPath(new URL(`../../test/fixtures/acp/${path}`, import.meta.url));

interface Recorded {
  readonly name: string;
  readonly agent?: Partial<AcpOptions>;
  readonly options?: Partial<SessionOptions>;
  /** How the turn ended in which a call was denied. */
  readonly denied: string;
  readonly files: readonly [name: string, input: unknown];
  /** Whether it asks before it calls a tool of ours. */
  readonly asksForOurs: boolean;
  /** Input tokens of the first four turns. */
  readonly inputs: readonly number[];
}

const AGENTS: readonly Recorded[] = [
  {
    name: 'gemini',
    denied: 'stop',
    files: ['edit', expect.objectContaining({ title: 'Writing to w.txt' })],
    asksForOurs: true,
    inputs: [100, 200, 200, 200],
  },
  {
    name: 'claude-agent-acp',
    denied: 'stop',
    files: ['Write', { file_path: '/project/w.txt', content: 'made by stub\n' }],
    asksForOurs: true,
    inputs: [100, 200, 200, 200],
  },
  {
    name: 'codex-acp',
    agent: { modes: { edit: 'read-only' } },
    options: { access: 'edit' },
    denied: 'denied',
    files: ['execute', expect.anything()],
    asksForOurs: true,
    inputs: [100, 200, 100, 200],
  },
  {
    name: 'opencode',
    denied: 'stop',
    files: ['edit', expect.anything()],
    asksForOurs: false,
    inputs: [100, 100, 100, 100],
  },
  {
    name: 'copilot',
    agent: { usage: 'session' },
    denied: 'stop',
    files: ['edit', expect.anything()],
    asksForOurs: false,
    inputs: [100, 200, 100, 200],
  },
];

describe.each(AGENTS)(
  '$name as it was recorded',
  ({ name, agent, options, denied, files, asksForOurs, inputs }) => {
    it('is understood, turn by turn', async () => {
      const session = createAcpProvider({
        name,
        command: process.execPath,
        args: [fixture('replay.mjs'), fixture(`recorded/${name}.jsonl`)],
        ...agent,
      }).open({ redactor, cwd: tmpdir(), ask: true, ...options });
      const usages: (number | undefined)[] = [];
      const turn = async (
        ...input: Parameters<typeof play> extends [unknown, ...infer Rest] ? Rest : never
      ) => {
        const played = await play(session, ...input);
        usages.push(eventsOf(played, 'usage')[0]?.usage.inputTokens);
        return played;
      };

      const greeted = await turn({ say: 'say hi' });
      expect(greeted.text).toContain('Hello from the stub.');
      expect(eventsOf(greeted, 'reasoning.delta').length).toBeGreaterThan(0);
      expect(greeted.end).toMatchObject({ reason: 'done', stop: 'stop' });

      const allowed = await turn({ say: 'write', onApproval: async () => ({ decision: 'allow' }) });
      expect(eventsOf(allowed, 'approval.request')).toMatchObject([{ tool: files[0], input: files[1] }]);
      expect(eventsOf(allowed, 'tool.start')).toHaveLength(1);
      expect(eventsOf(allowed, 'tool.end').map(({ isError }) => isError)).toEqual([undefined]);

      const refused = await turn({ say: 'write', onApproval: async () => ({ decision: 'deny' }) });
      expect(eventsOf(refused, 'tool.end').map(({ isError }) => isError)).toEqual([true]);
      expect(refused.end).toMatchObject({ reason: 'done', stop: denied });

      // A tool of ours, by the agent's words alone: nothing came over our channel, so it is told and asked for.
      const ours = await turn({ say: 'spawn', onApproval: async () => ({ decision: 'allow' }) });
      expect(eventsOf(ours, 'approval.request')).toHaveLength(asksForOurs ? 1 : 0);
      expect(eventsOf(ours, 'tool.start')).toMatchObject([{ by: 'agent' }]);
      expect(ours.end.reason).toBe('done');

      const stop = new AbortController();
      const broken = await turn({ say: 'long', signal: stop.signal }, ({ type }) => {
        if (type === 'text.delta') stop.abort();
      });
      expect(broken.end.reason).toBe('aborted');

      const failed = await turn({ say: 'err' });
      expect(failed.end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_AUTH', status: 401 } });
      await session.close();
      expect(usages.slice(0, 4)).toEqual(inputs);
    });
  },
);
