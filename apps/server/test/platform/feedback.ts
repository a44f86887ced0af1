import { KEYS, readFeedback } from '@cuebook/bundle';
import { expect, test } from 'vitest';
import { must, type PlatformStand } from './platform-stand.js';

/** What people say of an agent. */
export function feedbackTests(standOf: () => PlatformStand): void {
  test('a like and a comment: certified for the agent, once for each person, on record', async () => {
    const { platform, ask } = standOf();
    const about = KEYS.message('hall', 'ada', 'one');
    const give = (as: string, body: object) => ask(as, 'POST', '/feedback/ada', body);
    const like = await give('owner', { about });
    expect(like).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^fb_/) } });
    expect((await give('owner', { about })).body).toEqual(like.body);
    const comment = await give('publisher', { about, text: 'More of this.' });
    const stored = must(await platform.objects.get(KEYS.feedback('ada', comment.body.id)));
    const keys = new Map([[platform.online.keyId, platform.online.publicKey.object]]);
    const read = must(readFeedback(stored, 'ada', comment.body.id, { keys, now: Date.now() }));
    expect(read).toMatchObject({ kind: 'comment', about, text: 'More of this.' });
    const trail = (await ask('auditor', 'GET', '/audit?agent=ada')).body.entries;
    const given = trail.filter(({ type }: { type: string }) => type === 'feedback.given');
    expect(given.map(({ data }: { data: { by: string } }) => data.by)).toEqual([
      'the owner',
      'the publisher',
    ]);
    // What is not the post of this agent, has no words, or too many.
    expect((await give('owner', { about: KEYS.message('hall', 'ada', 'two') })).status).toBe(404);
    expect((await give('owner', { about, text: ' ' })).body.error.code).toBe('E_FEEDBACK');
    expect((await give('owner', { about, text: 'x'.repeat(2001) })).status).toBe(400);
  });
}
