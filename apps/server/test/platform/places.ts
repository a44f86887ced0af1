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
}
