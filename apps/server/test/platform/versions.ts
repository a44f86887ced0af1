import { signLibrary } from '@cuebook/platform';
import { expect, test } from 'vitest';
import type { PlatformStand } from './platform-stand.js';

/** Versions of scenarios, from a proposal to the agents. */
export function versionTests(standOf: () => PlatformStand): void {
  test('a version: proposed, compared, approved, signed elsewhere, taken, assigned, rolled back and retired', async () => {
    const { platform, ask, libraryKey } = standOf();
    const listed = platform.library.find(({ id, version }) => id === 'reply' && version === 1);
    const { id: _, version: __, ...words } = listed ?? { id: '', version: 0 };
    const draft = { ...words, template: `${listed?.template}\nNever say goodbye.` };
    expect((await ask('owner', 'POST', '/library/reply', draft)).status).toBe(403);
    expect(await ask('publisher', 'POST', '/library/reply', { ...draft, template: '{mood}' })).toMatchObject({
      status: 400,
      body: { error: { field: 'template' } },
    });
    expect((await ask('publisher', 'POST', '/library/a%2Fb', draft)).status).toBe(400);
    expect((await ask('publisher', 'POST', '/library/reply', words)).status).toBe(409);
    const proposed = await ask('publisher', 'POST', '/library/reply', draft);
    expect(proposed.body).toEqual({ scenario: 'reply', version: 3, status: 'waiting' });
    const diff = (await ask('reviewer', 'GET', '/library/reply/3/diff')).body;
    expect(diff).toMatchObject({
      ...{ before: 'reply@1', after: 'reply@3', same: false },
      obligations: { added: [{ force: 'NEVER', text: 'Never say goodbye.' }] },
      reach: { scenario: 'reply', agents: expect.arrayContaining(['ada']) },
    });
    expect((await ask('other owner', 'GET', '/library/reply/3/diff?against=2')).body.reach.agents).toEqual(
      [],
    );
    expect((await ask('reviewer', 'GET', '/library/reply/9/diff')).status).toBe(404);
    expect((await ask('reviewer', 'POST', '/library/reply/3/reject', {})).status).toBe(400);
    expect((await ask('reviewer', 'POST', '/library/reply/3/reject', { reason: 'Cold' })).status).toBe(200);
    // A number always names the same decision: what was rejected comes back under another one.
    expect((await ask('publisher', 'POST', '/library/reply', draft)).body).toMatchObject({ version: 4 });
    expect((await ask('reviewer', 'POST', '/library/reply/3/approve', {})).status).toBe(409);
    expect((await ask('reviewer', 'POST', '/library/reply/4/approve', {})).status).toBe(200);
    expect((await ask('reviewer', 'POST', '/library/reply/4/approve', {})).status).toBe(409);
    expect((await ask('publisher', 'PUT', '/library/reply/pin', { version: 4 })).status).toBe(404);

    const request = (await ask('publisher', 'GET', '/library-request')).body;
    const signature = signLibrary(request, await libraryKey());
    expect((await ask('reviewer', 'POST', '/library-signature', signature)).status).toBe(403);
    const stranger = { ...signature, metadata: signature.metadata.replace('reply/v4', 'reply/v5') };
    expect((await ask('publisher', 'POST', '/library-signature', stranger)).status).toBe(400);
    const taken = await ask('publisher', 'POST', '/library-signature', signature);
    expect(taken.body).toEqual({ version: 2, added: ['reply@4'], retired: [] });
    expect((await ask('owner', 'GET', '/library/reply/4')).body).toMatchObject({
      verification: { ok: true, template: draft.template, proof: { library: 2 } },
    });
    expect((await ask('owner', 'GET', '/library/reply/5')).status).toBe(404);
    const { versions } = (await ask('owner', 'GET', '/library')).body;
    expect(
      versions.find((each: { id: string; version: number }) => each.id === 'reply' && each.version === 4),
    ).toMatchObject({ status: 'listed', active: false, by: 'the publisher', decidedBy: 'the reviewer' });
    expect((await ask('publisher', 'PUT', '/library/reply/pin', { version: 4 })).body).toEqual({
      ...{ scenario: 'reply', from: 1, version: 4 },
    });
    const published = (await ask('publisher', 'POST', '/publish', {})).body.published;
    expect(published.length).toBeGreaterThan(0);
    const { scenarios } = (await ask('auditor', 'GET', '/bundles/ada')).body.verification;
    expect(scenarios).toContainEqual(expect.objectContaining({ id: 'reply', version: 4 }));
    expect((await ask('publisher', 'POST', '/library/reply/rollback', {})).body).toMatchObject({
      version: 1,
    });
    expect((await ask('publisher', 'POST', '/library/reply/1/retire', {})).status).toBe(409);
    expect((await ask('publisher', 'POST', '/library/reply/4/retire', {})).status).toBe(200);
    await ask('publisher', 'POST', '/publish', {});
  });
}
