import { readFileSync } from 'node:fs';
import { createRedactor, type LeakContext } from '@cuebook/prompt';
import type { Servers, ServerTool } from '@cuebook/provider/servers';
import { describe, expect } from 'vitest';
import { itInTurn as it, share } from '../../../../test/runs.js';
import { calls, patch, runDesk, write } from '../../test/run-desk.js';

interface Leaks {
  readonly ctx: LeakContext;
  readonly mustRedact: readonly {
    readonly id: string;
    readonly input: string;
    readonly mustNotContain: readonly string[];
  }[];
}
const LEAKS = JSON.parse(
  readFileSync(new URL('../../../prompt/test/leaks.json', import.meta.url), 'utf8'),
) as Leaks;
const TEXTS = LEAKS.mustRedact.map(({ input }) => input);
const redactor = createRedactor(LEAKS.ctx);

/** A server whose every answer tells of the machine. */
const TOOL: ServerTool = {
  name: 'mcp.gossip.tell',
  server: 'gossip',
  own: 'tell',
  description: 'From the server gossip.',
};
const gossip: Servers = {
  tools: [TOOL],
  reached: ['gossip'],
  problems: [],
  refresh: async () => [],
  call: async (_, args) => {
    const { n } = args as { readonly n: number };
    const text = TEXTS[n] ?? '';
    return n % 2 === 0
      ? { ok: true, text, structured: { [text]: [text] } }
      : { ok: false, error: { code: 'MCP_TOOL_ERROR', message: text, details: { at: text } } };
  },
  close: async () => undefined,
};

// The composer's own test has every mode; here one is enough for a fixed share.
describe.each((['run', 'agent', 'chat'] as const).slice(0, share(1, 3)))('in mode %s', (mode) => {
  it('no string that tells of the machine reaches the provider, the log of calls or the audit', async () => {
    const files = Object.fromEntries(TEXTS.map((text, n) => [`f${n}.md`, `${text}\n`]));
    const numbers = TEXTS.map((_, n) => n);
    const ask = { widgetId: 'w', type: 'feedback', message: TEXTS.join('\n') };
    const steps = [
      { text: TEXTS.join('\n'), ...calls(...numbers.slice(0, 30).map((n) => read(n))) },
      calls(...numbers.slice(30, 60).map((n) => read(n))),
      calls(...numbers.slice(60).map((n) => read(n)), ...numbers.slice(0, 12).map(tell)),
      calls(...numbers.slice(12, 42).map(tell)),
      calls(...numbers.slice(42).map(tell)),
      calls(
        ...TEXTS.slice(0, 25).map((text) => ['fs.read', { path: text }] as const),
        write('@project/all.md', TEXTS.join('\n')),
        patch({
          variables: { set: Object.fromEntries(TEXTS.map((text, n) => [n % 2 ? text : `v${n}`, text])) },
        }),
        ['fs.search', { path: '@project', pattern: 'quinnray', maxMatches: 200 }],
        ['ui.ask_user', ask],
      ),
      { text: 'Done.' },
    ];
    const desk = await runDesk({
      steps,
      project: files,
      servers: gossip,
      facts: { mode },
      leak: LEAKS.ctx,
      parts: { agents: { schemaVersion: '1.1', agents: [sm] } },
      graphAgent: 'sm',
      settings: { mcp: { enabled: true } },
    });
    const run = await desk.open();
    await run.play(TEXTS.join('\n'));
    const status = await run.status();
    if (status.kind !== 'waiting' || status.for !== 'question') throw new Error(JSON.stringify(status));
    const approval = status.questions[0]?.approval ?? '';
    await run.command({
      type: 'approval.resolve',
      approval,
      decision: 'change',
      input: { ...ask, answer: { text: TEXTS.join('\n') } },
      by: 'ann',
    });
    await run.drain();
    expect(desk.requests).toHaveLength(7);
    expect((await run.read()).state.agent.history.at(-1)).toMatchObject({ text: 'Done.' });
    const sent = desk.requests.map((request) => JSON.stringify(request)).join('\n');
    const { history } = (await run.read()).state.agent;
    // What a tool answers is clean before it is in the log; what people and models say is cleaned on its way out.
    const results = JSON.stringify(history.filter(({ role }) => role === 'tool'));
    expect(redactor.leaks(results)).toEqual([]);
    const audit = desk.inState('logs/execution.jsonl') ?? '';
    const found = LEAKS.mustRedact.flatMap(({ id, mustNotContain }) =>
      mustNotContain
        .filter((text) => sent.includes(text) || audit.includes(text))
        .map((text) => `${id}: ${text}`),
    );
    expect(found).toEqual([]);
    expect(redactor.leaks(sent)).toEqual([]);
    expect(sent.includes(desk.project) || sent.includes(desk.folder)).toBe(false);
  });
});

const read = (n: number): readonly [string, unknown] => ['fs.read', { path: `@project/f${n}.md` }];
const tell = (n: number): readonly [string, unknown] => ['mcp.gossip.tell', { n }];

const sm = {
  id: 'sm',
  metadata: { name: 'N', title: 'T', icon: '*' },
  persona: { role: 'r', identity: 'i', communication_style: 'c', principles: 'p' },
  tools: { mcp: { enabled: true } },
};
