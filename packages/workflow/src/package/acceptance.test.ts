import { expect, test } from 'vitest';
import { makeFolder } from '../../test/scratch.js';
import { createAcceptances } from './acceptance.js';

const hash = `sha256:${'a'.repeat(64)}`;
const acceptance = { hash, name: 'p', version: '1.0.0', by: 'ada', at: '2026-01-02T03:04:05.000Z' };

test('a package is accepted for its bytes alone, and a note that says otherwise is none', async () => {
  const { files: home } = await makeFolder({});
  const acceptances = createAcceptances(home);
  expect([await acceptances.find(hash), await acceptances.list()]).toEqual([undefined, []]);
  await acceptances.accept(acceptance);
  expect([await acceptances.find(hash), await acceptances.list()]).toEqual([acceptance, [acceptance]]);
  const other = 'b'.repeat(64);
  await home.writeText(`packages/${other}.json`, JSON.stringify(acceptance));
  expect(await acceptances.find(`sha256:${other}`)).toBeUndefined();
  expect(await acceptances.find('../x')).toBeUndefined();
  await home.writeText(`packages/${'c'.repeat(64)}.json`, 'no JSON');
  expect(await acceptances.list()).toEqual([acceptance]);
  expect([await acceptances.revoke(hash), await acceptances.revoke(hash)]).toEqual([true, false]);
  expect(await acceptances.list()).toEqual([]);
});
