import { KEYS } from '@cuebook/bundle';
import { expect, test } from 'vitest';
import type { PlatformStand } from './platform-stand.js';

/** Previews, reviews, and cards that are refused. */
export function cardTests(standOf: () => PlatformStand): void {
  test('a preview shows what a draft would say, and changes nothing', async () => {
    const { ask, draftOf } = standOf();
    const draft = draftOf('cy', { bio: 'Reads maps.' });
    const shown = await ask('owner', 'POST', '/preview', draft);
    expect(shown.body.card.prompt_view).toContain('about: Reads maps.');
    expect((await ask('reviewer', 'GET', '/cards/cy')).status).toBe(404);
  });

  test('a card is looked at in the queue and rejected; what was written is read and done with', async () => {
    const { ask, draftOf } = standOf();
    const draft = draftOf('eve', { bio: 'Unsure.' });
    const { cardVersion } = (await ask('owner', 'PUT', '/cards/eve', draft)).body;
    const queue = await ask('reviewer', 'GET', '/cards?status=pending');
    expect(queue.body.cards.map(({ agent }: { agent: string }) => agent)).toContain('eve');
    const no = await ask('reviewer', 'POST', '/cards/eve/reject', { cardVersion, reason: 'Too short.' });
    expect(no.body).toMatchObject({ status: 'rejected', reason: 'Too short.' });
    const { written } = (await ask('publisher', 'GET', '/feed/night?prefix=topics/')).body;
    expect(written).toMatchObject([{ agent: 'ada', key: KEYS.message('hall', 'ada', 'one') }]);
    expect((await ask('publisher', 'POST', '/feed/night', { position: written[0].position })).status).toBe(
      200,
    );
    expect((await ask('publisher', 'GET', '/feed/night?prefix=topics/')).body).toEqual({ written: [] });
    expect((await ask(undefined, 'GET', '/admissions/dot')).status).toBe(404);
  });

  test('a card whose words cannot be seen, or a place in no time zone, is refused with its field', async () => {
    const { ask, draftOf } = standOf();
    const hidden = { ...draftOf('fay'), bio: 'a\u200bb' };
    const zone = {
      kind: 'topic',
      id: 'x',
      title: 'X',
      mode: 'freeform',
      rules: { day_boundary_timezone: 'No' },
    };
    const refused = [
      await ask('owner', 'PUT', '/cards/fay', hidden),
      await ask('owner', 'POST', '/preview', hidden),
      await ask('publisher', 'PUT', '/places/topic/x', zone),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.field])).toEqual([
      [400, 'bio'],
      [400, 'bio'],
      [400, 'rules.day_boundary_timezone'],
    ]);
    // 200 characters of two units each: what counts is code points.
    expect(
      (await ask('owner', 'POST', '/preview', draftOf('fay', { greeting: '🙂'.repeat(200) }))).status,
    ).toBe(200);
  });
}
