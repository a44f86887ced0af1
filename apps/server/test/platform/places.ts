import { agentObjects, KEYS } from '@cuebook/bundle';
import { expect, test } from 'vitest';
import { must, type PlatformStand } from './platform-stand.js';

/** Topics and circles. */
export function placeTests(standOf: () => PlatformStand): void {
  test('a place: made, seen by credentials, shown from what is certified', async () => {
    const { platform, ask, connect } = standOf();
    const topic = { kind: 'topic', id: 'hall', title: 'The hall', mode: 'freeform' };
    expect((await ask('publisher', 'PUT', '/places/topic/hall', topic)).status).toBe(200);
    expect((await ask('publisher', 'PUT', '/places/topic/other', topic)).body.error.field).toBe('id');
    const objects = agentObjects(connect('ada'), Date.now);
    const key = KEYS.message('hall', 'ada', 'one');
    const post = { kind: 'topic_message', schema_version: 1, agent_id: 'ada', text: 'Hello.' };
    const put = (text: object) => objects.put(key, Buffer.from(JSON.stringify(text)), { ifAbsent: true });
    expect((await put(post)).ok).toBe(true);
    expect(await put(post)).toMatchObject({ error: { reason: 'exists' } });
    const forged = { ...post, agent_id: 'bo' };
    must(await platform.objects.put(KEYS.message('hall', 'ada', 'two'), Buffer.from(JSON.stringify(forged))));
    const page = await ask('auditor', 'GET', '/places/topic/hall');
    expect(page.body).toMatchObject({
      place: { title: 'The hall' },
      posts: [{ author: 'ada', card: { name: 'ada' }, post: { text: 'Hello.' } }],
    });
    const stored = must(await platform.objects.get(KEYS.topic('hall')));
    must(
      await platform.objects.put(
        KEYS.topic('hall'),
        Buffer.from(Buffer.from(stored).toString().replace('The hall', 'The trap')),
      ),
    );
    expect((await ask('auditor', 'GET', '/places/topic/hall')).status).toBe(404);
    expect(
      (await ask('publisher', 'PUT', '/places/topic/hall', { ...topic, visibility: 'invited' })).status,
    ).toBe(200);
    const after = agentObjects(connect('ada'), Date.now);
    expect(await after.get(KEYS.topic('hall'))).toMatchObject({ error: { reason: 'denied' } });
  });

  test('a proposal: listed, accepted or rejected with a reason, by the publisher', async () => {
    const { platform, ask } = standOf();
    const propose = async (request: string, content: object) =>
      must(
        await platform.objects.put(
          KEYS.request('hall', 'ada', request),
          Buffer.from(JSON.stringify({ kind: 'topic_request', schema_version: 1, agent_id: 'ada', content })),
        ),
      );
    await propose('req_1', { type: 'propose_task', title: 'A map', tags: ['river'], timebox_hours: 4 });
    await propose('req_2', { type: 'propose_topic', title: 'Owls', mode: 'freeform' });
    const listed = (await ask('auditor', 'GET', '/proposals')).body.proposals;
    expect(listed).toMatchObject([{ request: 'req_1', proposal: { tags: ['river'] } }, { request: 'req_2' }]);
    const at = (request: string, act: string) => `/proposals/hall/ada/${request}/${act}`;
    expect((await ask('owner', 'POST', at('req_1', 'accept'), {})).status).toBe(403);
    const accepted = await ask('publisher', 'POST', at('req_1', 'accept'), {});
    expect(accepted.body.place).toMatchObject({ kind: 'task', tags: ['river'], timebox_hours: 4 });
    expect((await ask('publisher', 'POST', at('req_2', 'reject'), { reason: 'ugly' })).status).toBe(400);
    expect((await ask('publisher', 'POST', at('req_2', 'reject'), { reason: 'duplicate' })).status).toBe(200);
    expect((await ask('publisher', 'POST', at('req_1', 'reject'), { reason: 'unsafe' })).status).toBe(409);
    expect((await ask('publisher', 'POST', at('req_9', 'accept'), {})).status).toBe(404);
    expect((await ask('auditor', 'GET', '/proposals')).body.proposals).toEqual([]);
  });

  test('a new agent is answered with the circles that suit it, best first, with their scores', async () => {
    const { ask, draftOf } = standOf();
    const circle = (id: string, interests: readonly string[], more: object = {}) =>
      ask('publisher', 'PUT', `/places/circle/${id}`, { kind: 'circle', id, title: id, interests, ...more });
    await circle('birders', ['Birds']);
    await circle('walkers', ['birds', 'maps', 'boots']);
    await circle('closed', ['birds', 'maps'], { visibility: 'invited' });
    const draft = draftOf('nia', { interests: ['maps', 'birds'] });
    const saved = await ask('owner', 'PUT', '/cards/nia', draft);
    expect(saved.body.groups).toMatchObject([
      { group_id: 'walkers', score: 66.67, shared: ['birds', 'maps'] },
      { group_id: 'birders', score: 50, shared: ['birds'] },
    ]);
    expect((await ask('owner', 'GET', '/cards/nia/groups')).body.groups).toEqual(saved.body.groups);
    expect((await ask('other owner', 'GET', '/cards/nia/groups')).status).toBe(404);
    expect((await ask('reviewer', 'GET', '/cards/nobody/groups')).status).toBe(404);
  });

  test('groups are explained and an event is made by request, each kept only as its contract says', async () => {
    const { ask, answers } = standOf();
    const explain = (as: string, agent = 'nia') => ask(as, 'POST', `/cards/${agent}/groups`, {});
    expect((await explain('other owner')).status).toBe(404);
    expect(await explain('owner')).toMatchObject({
      status: 409,
      body: { error: { code: 'E_PLATFORM_ASK' } },
    });
    const rows = (score: number) => [
      { group_id: 'walkers', score, reasons: ['Boots, maps and birds.'] },
      { group_id: 'birders', score: 50, reasons: ['Birds.'] },
    ];
    answers.set('interest_groups', JSON.stringify(rows(100)));
    expect(await explain('owner')).toMatchObject({ status: 409, body: { error: { code: 'E_OUTPUT' } } });
    answers.set('interest_groups', JSON.stringify(rows(66.67)));
    expect((await explain('owner')).body.groups).toMatchObject([
      { group_id: 'walkers', reasons: ['Boots, maps and birds.'] },
      { group_id: 'birders', reasons: ['Birds.'] },
    ]);
    // The same again is not asked again.
    answers.delete('interest_groups');
    expect((await explain('owner')).status).toBe(200);

    const make = (as: string, date: string) => ask(as, 'POST', '/events', { date });
    expect((await make('owner', '2026-11-18')).status).toBe(403);
    expect((await make('publisher', '2026-13-18')).status).toBe(400);
    expect((await make('publisher', '2026-11-18')).status).toBe(409);
    const event = {
      theme: 'Maps',
      description: 'x',
      suggested_roles: ['guide'],
      duration_days: 7,
      reward: 'x',
    };
    answers.set('weekly_event', JSON.stringify(event));
    expect((await make('publisher', '2026-11-18')).body).toMatchObject({ week: '2026-11-16', event });
    answers.delete('weekly_event');
    expect((await make('publisher', '2026-11-20')).body).toMatchObject({ week: '2026-11-16', event });

    expect((await ask('auditor', 'GET', '/schedule')).body.jobs).toMatchObject([
      { on: false },
      { on: false },
    ]);
    expect((await ask('auditor', 'PUT', '/schedule/event', { on: true })).status).toBe(403);
    expect((await ask('publisher', 'PUT', '/schedule/feast', { on: true })).status).toBe(400);
    expect((await ask('publisher', 'PUT', '/schedule/event', { on: true })).body).toMatchObject({ on: true });
    expect((await ask('publisher', 'PUT', '/schedule/event', { on: false })).body).toMatchObject({
      on: false,
    });
  });
}
