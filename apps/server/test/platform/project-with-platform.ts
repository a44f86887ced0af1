import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { foundPlatform, issueToken, openPlatform } from '@cuebook/platform';
import { onTestFinished } from 'vitest';
import { must, serverStand } from '../server-stand.js';

/** A project with a person and a token for each role, and a platform of its own with a token for each of its roles. */
export async function projectWithPlatform(
  name: string,
  peopleRoles: readonly ('viewer' | 'reviewer' | 'operator' | 'owner')[],
) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-rights-')));
  const keyOf = async (key: string) => {
    const files = await openFolder(join(folder, key), { create: true });
    if (!files.ok) throw new Error(files.error.code);
    return { files: files.value, path: 'key.json', passphrase: `a passphrase for ${key}` };
  };
  const home = join(folder, 'platform');
  const founded = await foundPlatform(home, {
    ...{ name, url: `https://${name}.example`, store: { kind: 'folder' }, threshold: 1, now: Date.now() },
    ...{ roots: [await keyOf('root')], library: await keyOf('library'), reviewer: await keyOf('reviewer') },
  });
  if (!founded.ok) throw new Error(JSON.stringify(founded.error));
  const platform = await openPlatform(home, { env: {} });
  if (!platform.ok) throw new Error(JSON.stringify(platform.error));
  const roles = new Map<string, string>();
  for (const role of ['owner', 'reviewer', 'publisher', 'auditor'] as const) {
    const issued = await issueToken(platform.value, { who: `the ${role}`, role });
    if (!issued.ok) throw new Error(JSON.stringify(issued.error));
    roles.set(role, issued.value.text);
  }
  await platform.value.close();
  const env = { PATH: process.env.PATH, HOME: folder, CUEBOOK_PLATFORM: home };
  const stand = await serverStand({ options: { env } });
  onTestFinished(async () => {
    await stand.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const people = new Map([['owner token', stand.server.token]]);
  for (const role of peopleRoles)
    people.set(role, must(await stand.client.addPerson({ name: `${role}.person`, role })).token);
  return { url: stand.server.url, people, roles };
}
