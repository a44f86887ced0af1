import { join } from 'node:path';
import { composeRequest, escapeBody, type GatedRequest, type OfferedTool } from '@cuebook/prompt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeGeminiSettings } from '../../../test/model-server/agents.js';
import type { RecordedRequest, ScriptedCall, ScriptedStep } from '../../../test/model-server/index.js';
import { describePart } from '../../../test/part.js';
import { itInSoak, itInTurn } from '../../../test/runs.js';
import { BUILT_IN } from '../src/catalog/entry.js';
import { createLineProvider } from '../src/line/provider.js';
import { createRehearsalProvider } from '../src/rehearsal/provider.js';
import type { Session, TurnInput } from '../src/turn.js';
import { type AgentDesk, openDesk } from './agent-desk.js';
import { type Agent, APIS, CLIS, type Voice } from './choke-voices.js';
import { conversation, said } from './conversation.js';
import { HOME, type Played, play, redactor, SECRET } from './play.js';
import { FORGED, poison, poisonIn } from './poison.js';
import { placeWitness } from './witness.js';

// Nothing that is planted anywhere reaches a provider: the model server and the child's own ears are asked.

const LOOKUP: OfferedTool = {
  name: 'lookup',
  description: poison('a tool'),
  parameters: {
    type: 'object',
    properties: { q: { type: 'string', description: poison('a schema'), default: poison('a default') } },
  },
};

let desk: AgentDesk;
const sessions: Session[] = [];
beforeAll(async () => {
  desk = await openDesk('choke');
  writeGeminiSettings(desk.home);
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});
afterAll(() => desk.close());

function open(voice: Voice, command = '') {
  const { name, model } = voice;
  const witness = command === '' ? undefined : placeWitness(join(desk.cwd, '..', name), command);
  const place = { desk, lane: name, url: desk.server.laneUrl(name), command: witness?.command ?? '' };
  const session = voice
    .provider(place)
    .open({ redactor, cwd: desk.cwd, access: 'edit', ask: true, ...(model !== undefined && { model }) });
  sessions.push(session);
  const { requests } = desk.server.lane(name);
  return { session, requests, heard: () => witness?.heard() ?? '' };
}

/** What of the planted things anybody heard. */
const leaked = (requests: readonly RecordedRequest[], heard: string, played: readonly Played[]) =>
  [...requests.map(({ text }) => text), heard, ...played.flatMap(({ sent }) => sent)].flatMap(poisonIn);

/** The name under which the model sees our tool. */
const seenAs = ({ text }: RecordedRequest): string =>
  /"name":"([^"]*lookup[^"]*)"/.exec(text)?.[1] ?? 'lookup';
const lookUp = (request: RecordedRequest, id: string, { namespace }: Agent): ScriptedCall => ({
  ...{ id, name: seenAs(request), args: { q: 'x' } },
  ...(namespace !== undefined && { namespace }),
});

const history = (): GatedRequest =>
  conversation(
    [
      said('system', 'Work.'),
      said('user', escapeBody(poison('a user'))),
      said('assistant', escapeBody(poison('an answer')), {
        calls: [{ id: 'call_1', name: 'lookup', args: { q: `${HOME}/x ${SECRET}`, [SECRET]: 1 } }],
      }),
      said('tool', escapeBody(poison('a result')), { callId: 'call_1' }),
      said('user', escapeBody(poison('a handoff')), { labels: { trust: 'agent' } }),
    ],
    { tools: [LOOKUP] },
  );

describe.each(APIS)('$name', (voice) => {
  it('history, results, descriptions, handoffs and errors reach the model clean', async () => {
    const error = { status: 400, body: { error: { message: poison('the vendor'), type: 'x' } } };
    desk.server.script(voice.name, [{ text: 'Yes.' }, { error }]);
    const { session, requests } = open(voice);
    const first = await play(session, { request: history() });
    const second = await play(session, { request: history() });
    expect([first.end.reason, second.end.error?.code]).toEqual(['done', 'E_PROVIDER_REJECTED']);
    const third = conversation([said('user', escapeBody(second.end.error?.message ?? ''))]);
    desk.server.script(voice.name, [{ text: 'Well.' }]);
    const last = await play(session, { request: third });
    expect(last.end.reason).toBe('done');
    expect(requests).toHaveLength(3);
    expect(requests[0]?.text).toContain('From a tool');
    expect(leaked(requests, '', [first, second, last])).toEqual([]);
    expect(poisonIn(JSON.stringify([second.end, last.events]))).toEqual([]);
  });
});

describePart('claude', 'claude', ({ path }) => listen('claude', path));
describePart('codex', 'codex', ({ path }) => listen('codex', path));
describePart('gemini', 'gemini', ({ path }) => listen('gemini', path));

/** Every way to speak to the agent of a part. */
function listen(part: string, path: string): void {
  for (const voice of CLIS.filter((each) => each.part === part)) {
    const test = voice.name === part ? itInTurn : itInSoak;
    test(`${voice.name}: what is told and what is answered in mid-turn reaches agent and model clean`, async () => {
      const { session, requests, heard } = open(voice, path);
      const calls: ScriptedStep[] = [
        (request) => ({ toolCalls: [lookUp(request, 'call_1', voice)] }),
        (request) => ({ toolCalls: [lookUp(request, 'call_2', voice)] }),
        { toolCalls: [voice.own] },
      ];
      const heardWhy = voice.isToldLater ? [{ text: 'I see.' }] : [];
      desk.server.script(voice.name, [...calls, { text: 'Done.' }, ...heardWhy, { text: 'Again.' }]);
      let ran = 0;
      let asked = 0;
      const input: Omit<TurnInput, 'request'> = {
        callTool: async () => {
          ran += 1;
          return { output: poison(`run ${ran}`), isError: ran === 2 };
        },
        onApproval: async ({ tool }) => {
          if (tool.includes('lookup') || tool === voice.asksForOurs) return { decision: 'allow' };
          asked += 1;
          return { decision: 'deny', message: poison('a denial') };
        },
      };
      const first = await play(session, { ...input, request: history() });
      expect([first.end.reason, first.text]).toEqual(['done', voice.isToldLater ? 'Done.I see.' : 'Done.']);
      const delta = conversation(
        [
          said('user', escapeBody(poison('a handoff')), { labels: { trust: 'agent' } }),
          said('user', escapeBody(poison('an error'))),
        ],
        { tools: [LOOKUP] },
      );
      const second = await play(session, { ...input, request: history(), delta });
      expect([second.end.reason, second.text]).toEqual(['done', 'Again.']);
      expect(heard().includes('From a handoff')).toBe(true);
      const main = requests.filter(({ side }) => !side);
      expect(main.length).toBeGreaterThanOrEqual(4);
      const told = main.map(({ text }) => text).join();
      expect(['From an error', 'From run 2'].filter((words) => !told.includes(words))).toEqual([]);
      expect([ran, asked > 0, told.includes('From a denial')]).toEqual([2, voice.asks, voice.hearsWhy]);
      expect(leaked(requests, heard(), [first, second])).toEqual([]);
      await session.close();
    });
  }
}

it('a program of the line protocol hears nothing planted', async () => {
  const program = `
    const lines = require('node:readline').createInterface({ input: process.stdin });
    const tell = (line) => console.log(JSON.stringify(line));
    lines.on('line', (line) => {
      const { kind } = JSON.parse(line);
      if (kind === 'prompt') tell({ kind: 'toolCall', id: 'c1', name: 'lookup', input: {} });
      else { tell({ kind: 'text', text: line }); tell({ kind: 'end' }); }
    });`;
  const voice: Voice = {
    name: 'line',
    provider: ({ command }) => createLineProvider({ name: 'line', command, args: ['-e', program] }),
  };
  const { session, heard } = open(voice, process.execPath);
  const played = await play(session, {
    request: history(),
    callTool: async () => ({ output: poison('a run') }),
  });
  expect(played.end.reason).toBe('done');
  expect(heard()).toContain('From a run');
  expect(leaked([], heard(), [played])).toEqual([]);
});

it('the rehearsal is told nothing planted either', async () => {
  const session = createRehearsalProvider().open({ redactor });
  const played = await play(session, { request: history() });
  expect(played.sent.join()).toContain('From a handoff');
  expect(leaked([], '', [played])).toEqual([]);
});

it('every provider that is built in was asked', () => {
  const asked = [...APIS, ...CLIS].map(({ name }) => name);
  expect(BUILT_IN.map(({ name }) => name).filter((name) => !asked.includes(name))).toEqual(['rehearsal']);
});

describe('the plants themselves', () => {
  it('are seen wherever they stand, however deep', () => {
    const all = ['credential', 'home', 'header'];
    expect(poisonIn(poison('x'))).toEqual(all);
    expect(poisonIn(JSON.stringify({ a: [JSON.stringify({ b: poison('x') })] }))).toEqual(all);
    expect(poisonIn(`${JSON.stringify(['--flag', poison('x')])}\nmore`)).toEqual(all);
    expect(poisonIn(`\\${FORGED}`)).toEqual([]);
  });

  it('cannot be composed as they are', () => {
    const block = { ...said('user', poison('x')), name: 'a' };
    const composed = composeRequest({ blocks: [block], hash: (text) => text, redactor });
    expect(composed).toMatchObject({
      ok: false,
      error: [{ code: 'E_FORGED_STRUCTURE' }, { code: 'E_FORGED_STRUCTURE' }],
    });
  });
});
