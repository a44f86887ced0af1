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
