import { KEYS, placeSchema, syncTrust, verifyObject } from '@cuebook/bundle';
import { describe, expect, test } from 'vitest';
import { itInTurn } from '../../../test/runs.js';
import { anchorOf } from '../../bundle/test/platform.js';
import { must, reasonOf } from '../../bundle/test/scratch.js';
import { newParts, settle, type TestParts } from '../test/parts.js';
import { ringOf } from './desk.js';
import { ackFeed, noteWrite, readFeed, sweepHeartbeats } from './feed.js';
import { readPage } from './pages.js';
import { findPlace, putPlace } from './places.js';
import { acceptProposal, admitToTask, listProposals, rejectProposal } from './proposals.js';
import { publishApproved } from './publishing.js';

const AT = { topic: 'hall', agent: 'ada', request: 'req_propose_task_20261115_01' };
const ASKS = {
  required_roles: [{ role: 'painter', why: 'to draw it' }],
  estimated_output: 'One map',
  expected_outputs: ['A map', 'A list of birds'],
  tags: ['river', 'birds'],
  timebox_hours: 48,
};
const PROPOSAL = {
  type: 'propose_task',
  title: 'Map the river',
  description: 'Walk it and draw it.',
  ...ASKS,
};
const post = (parts: TestParts, key: string, agent: string, content: unknown, kind = 'topic_request') =>
  parts.objects.put(key, Buffer.from(JSON.stringify({ kind, schema_version: 1, agent_id: agent, content })));

async function hall() {
  const parts = await newParts();
  const topic = {
    kind: 'topic',
    id: 'hall',
    title: 'The hall',
    mode: 'daily_checkin',
    visibility: 'invited',
  };
  must(await putPlace(parts, placeSchema.parse({ ...topic, invited: ['ada', 'bo'] }), 'p'));
  return parts;
}

describe('a proposal under the agent’s own prefix', () => {
  test('becomes a certified proposal and task, as visible as its topic, once', async () => {
    const parts = await hall();
    expect(reasonOf(await acceptProposal(parts, AT, 'pia'))).toBe('E_PROPOSAL not-found');
    must(await post(parts, KEYS.request('hall', 'ada', AT.request), 'ada', PROPOSAL));
    const task = must(await acceptProposal(parts, AT, 'pia'));
    expect(task).toMatchObject({ title: 'Map the river', visibility: 'invited', invited: ['ada', 'bo'] });
    expect(task).toMatchObject({ kind: 'task', participants: [{ agent_id: 'ada', role: 'proposer' }] });
    expect(task).toMatchObject(ASKS);
    expect(await findPlace(parts, { kind: 'task', id: task.id })).toMatchObject(ASKS);
    const verified = (key: string, kind: string, subject: string) =>
      verifyObject(parts.offline.store.all.get(key) ?? Buffer.alloc(0), {
        keys: ringOf(parts),
        expect: { kind, subject, objectKey: key },
        now: parts.now(),
      });
    expect(must(verified(KEYS.proposal(task.id), 'task_proposal', task.id)).object).toMatchObject({
      content: PROPOSAL,
    });
    const result = must(verified(KEYS.result('hall', 'ada', AT.request), 'topic_result', 'ada'));
    expect(result.object).toMatchObject({ outcome: 'accepted', task_id: task.id });
    expect(must(await acceptProposal(parts, AT, 'pia'))).toEqual(task);
    expect(parts.offline.store.all.has(KEYS.task(task.id))).toBe(true);
  });

  test.each([
    ['of somebody else', 'bo', PROPOSAL],
    ['of a topic without a mode', 'ada', { type: 'propose_topic', title: 'x' }],
    ['of something else', 'ada', { type: 'propose_feast', title: 'x' }],
    ['without a title', 'ada', { type: 'propose_task' }],
    ['that is no object', 'ada', 'x'],
  ])('%s is none', async (_, author, content) => {
    const parts = await hall();
    must(await post(parts, KEYS.request('hall', 'ada', AT.request), author, content));
    expect(reasonOf(await acceptProposal(parts, AT, 'pia'))).toBe('E_PROPOSAL no-proposal');
    expect(reasonOf(await acceptProposal(parts, { ...AT, topic: '*' }, 'pia'))).toBe('E_PROPOSAL bad-id');
    must(await rejectProposal(parts, AT, 'duplicate'));
    expect(parts.offline.store.all.get(KEYS.result('hall', 'ada', AT.request))?.toString()).toContain(
      '"duplicate"',
    );
  });

  test.each([
    ['public', 'public', [], 'public', []],
    ['public', 'invited', [], 'invited', ['ada']],
    ['public', 'circle', [], 'public', []],
    ['invited', 'public', ['ada', 'bo'], 'invited', ['ada', 'bo']],
    ['invited', 'everybody', ['ada'], 'invited', ['ada']],
  ])('in a topic for %s that asks for %s', async (topic, asked, invited, visibility, named) => {
    const parts = await newParts();
    const place = {
      kind: 'topic',
      id: 'hall',
      title: 'The hall',
      mode: 'freeform',
      visibility: topic,
      invited,
    };
    must(await putPlace(parts, placeSchema.parse(place), 'p'));
    const content = { ...PROPOSAL, visibility: asked };
    must(await post(parts, KEYS.request('hall', 'ada', AT.request), 'ada', content));
    expect(must(await acceptProposal(parts, AT, 'pia'))).toMatchObject({ visibility, invited: named });
  });

  test('of a topic becomes a topic, and waits in the list until it is decided', async () => {
    const parts = await hall();
    const content = {
      type: 'propose_topic',
      title: 'Owls',
      mode: 'freeform',
      opening_question: 'Which owl?',
    };
    const second = { ...AT, request: 'req_propose_topic_20261115_02' };
    must(await post(parts, KEYS.request('hall', 'ada', AT.request), 'ada', content));
    must(await post(parts, KEYS.request('hall', 'ada', second.request), 'ada', 'nonsense'));
    expect(await listProposals(parts)).toEqual([{ ...AT, proposal: content }, second]);
    const topic = must(await acceptProposal(parts, AT, 'pia'));
    expect(topic).toMatchObject({
      kind: 'topic',
      title: 'Owls',
      summary: 'Which owl?',
      visibility: 'invited',
    });
    expect(await findPlace(parts, { kind: 'topic', id: topic.id })).toEqual(topic);
    expect(must(await acceptProposal(parts, AT, 'pia'))).toEqual(topic);
    expect(reasonOf(await rejectProposal(parts, AT, 'unsafe'))).toBe('E_PROPOSAL decided');
    must(await rejectProposal(parts, second, 'invalid_schema'));
    expect(await listProposals(parts)).toEqual([]);
    expect(reasonOf(await rejectProposal(parts, { ...AT, request: 'none' }, 'unsafe'))).toBe(
      'E_PROPOSAL not-found',
    );
  });

  test('lets others join who asked to, in the role that they asked for', async () => {
    const parts = await hall();
    must(await post(parts, KEYS.request('hall', 'ada', AT.request), 'ada', PROPOSAL));
    const { id } = must(await acceptProposal(parts, AT, 'pia'));
    const join = async () => reasonOf(await admitToTask(parts, { task: id, agent: 'bo' }, 'pia'));
    expect(await join()).toBe('E_PROPOSAL not-found');
    must(await post(parts, KEYS.taskAnswer(id, 'bo'), 'bo', { decision: 'decline' }, 'task_answer'));
    expect(await join()).toBe('E_PROPOSAL no-proposal');
    for (const role of ['proposer', 'king']) {
      must(await post(parts, KEYS.taskAnswer(id, 'bo'), 'bo', { decision: 'join', role }, 'task_answer'));
      expect(await join()).toBe('E_PROPOSAL no-such-role');
    }
    must(
      await post(
        parts,
        KEYS.taskAnswer(id, 'bo'),
        'bo',
        { decision: 'join', role: ' Painter' },
        'task_answer',
      ),
    );
    expect(await join()).toBe('ok');
    expect(await findPlace(parts, { kind: 'task', id })).toMatchObject({
      participants: [{ agent_id: 'ada' }, { agent_id: 'bo', role: 'painter' }],
    });
    // The one role that was asked for is taken.
    must(await post(parts, KEYS.taskAnswer(id, 'cy'), 'cy', { decision: 'join' }, 'task_answer'));
    expect(reasonOf(await admitToTask(parts, { task: id, agent: 'cy' }, 'pia'))).toBe(
      'E_PROPOSAL no-such-role',
    );
  });
});

describe('a page', () => {
  test('shows what is certified and what each agent wrote, and nothing that was changed', async () => {
    const parts = await hall();
    await settle(parts, 'ada');
    must(await post(parts, KEYS.message('hall', 'ada', 'a'), 'ada', {}, 'topic_message'));
    must(await post(parts, KEYS.message('hall', 'bo', 'b'), 'ada', {}, 'topic_message'));
    must(await parts.objects.put(KEYS.message('hall', 'bo', 'c'), Buffer.from('{')));
    const page = must(await readPage(parts, { kind: 'topic', id: 'hall' }));
    expect(page?.posts.map(({ author, card }) => [author, card?.name])).toEqual([['ada', 'Ada']]);
    const card = parts.offline.store.all.get(KEYS.card('ada'))?.toString() ?? '';
    must(await parts.objects.put(KEYS.card('ada'), Buffer.from(card.replace('"Ada"', '"Eve"'))));
    expect(must(await readPage(parts, { kind: 'topic', id: 'hall' }))?.posts[0]?.card).toBeUndefined();
    const manifest = parts.offline.store.all.get(KEYS.topic('hall'))?.toString() ?? '';
    must(await parts.objects.put(KEYS.topic('hall'), Buffer.from(manifest.replace('invited', 'publicx'))));
    expect(must(await readPage(parts, { kind: 'topic', id: 'hall' }))).toBeUndefined();
    expect(must(await readPage(parts, { kind: 'task', id: 'none' }))).toBeUndefined();
  });
});

describe('the feed', () => {
  test('tells of each write below a prefix once, until it is dealt with', async () => {
    const parts = await newParts();
    const keys = ['topics/t/messages/ada/1.json', 'tasks/k/agents/ada/x', 'topics/t/messages/bo/1.json'];
    for (const key of [...keys, KEYS.heartbeat('ada')]) must(await noteWrite(parts, { agent: 'ada', key }));
    const read = (name = 'pages') => readFeed(parts, { name, prefix: 'topics/' });
    expect((await read()).map(({ key }) => key)).toEqual([keys[0], keys[2]]);
    must(await ackFeed(parts, 'pages', (await read())[0]?.position ?? 0));
    expect((await read()).map(({ key }) => key)).toEqual([keys[2]]);
    must(await ackFeed(parts, 'pages', 0));
    expect(await read()).toHaveLength(1);
    expect(await read('other')).toHaveLength(2);
  });

  test('heartbeats older than a week are removed', async () => {
    const parts = await newParts();
    const beat = (agent: string, at: number) =>
      parts.objects.put(
        KEYS.heartbeat(agent),
        Buffer.from(JSON.stringify({ agent_id: agent, observed_at: new Date(at).toISOString() })),
      );
    const day = 24 * 60 * 60_000;
    must(await beat('old', parts.now() - 8 * day));
    must(await beat('new', parts.now() - 6 * day));
    must(await parts.objects.put(KEYS.heartbeat('odd'), Buffer.from('?')));
    expect([...must(await sweepHeartbeats(parts))].sort()).toEqual(['odd', 'old']);
    expect(reasonOf(await parts.objects.get(KEYS.heartbeat('new')))).toBe('ok');
  });
});

itInTurn(
  'a publication that breaks off at any write leaves the agent the old bundle or the new one',
  async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    const anchor = { ...anchorOf(parts.offline, 'ada'), log: 'test', now: parts.now() };
    const state = must(await syncTrust({ ...anchor, objects: parts.objects })).state;
    const seen = new Set<number>();
    for (let writes = 0; writes < 12; writes += 1) {
      let left = writes;
      const breaking = {
        ...parts.objects,
        put: async (...args: Parameters<typeof parts.objects.put>) => {
          left -= 1;
          if (left < 0)
            return {
              ok: false as const,
              error: { code: 'E_OBJECT' as const, reason: 'unavailable' as const, key: args[0] },
            };
          return parts.objects.put(...args);
        },
      };
      const published = await publishApproved({ ...parts, objects: breaking }, { by: 'p', again: true });
      const synced = await syncTrust({ ...anchor, objects: parts.objects, state });
      // Refused means that the old one stays in use.
      seen.add(synced.ok ? synced.value.accepted.bundle.bundle_version : 1);
      if (published.ok) expect(synced.ok).toBe(true);
      expect(reasonOf(await publishApproved(parts, { by: 'p', again: true }))).toBe('ok');
      expect(reasonOf(await syncTrust({ ...anchor, objects: parts.objects, state }))).toBe('ok');
    }
    expect(seen.size).toBeGreaterThan(1);
  },
);
