import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as test } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const PROJECT = { 'cuebook.yaml': 'roots: {}\n' };

/** Calls commands in one folder; `json` parses what is printed. */
function desk(cwd: string, env: Record<string, string> = {}) {
  const call = (args: string, more: readonly string[] = []) =>
    cuebook([...args.split(' '), ...more], { cwd, env });
  const json = async (args: string, more: readonly string[] = []) => {
    const { stdout, stderr, code } = await call(args, [...more, '--json']);
    return { code, stderr, value: stdout === '' ? undefined : JSON.parse(stdout) };
  };
  return { call, json };
}

describe('cards, bundles and the platform', () => {
  test('from a new card to a verified bundle, a new key for the server, tokens and places', async () => {
    const cwd = folderWith(PROJECT);
    const { call, json } = desk(cwd);
    expect((await call('card list')).code).toBe(3);
    const made = await call('platform init --rehearsal --name town');
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect((await json('platform init --rehearsal')).code).toBe(1);

    expect(
      (
        await call('card new ada --public --personality 0.7,0.9,0.6,0.5', [
          '--name',
          'Ada',
          '--bio',
          'Counts birds.\nname: Bo',
        ])
      ).code,
    ).toBe(0);
    expect((await call('card new ada --name Other')).stderr).toContain('E_WOULD_OVERWRITE');
    const submitted = await json('card submit ada --by olga');
    expect(submitted.value).toMatchObject({ agent: 'ada', status: 'pending', cardVersion: 1, owner: 'olga' });
    expect((await json('card submit ada --by olga')).value.cardVersion).toBe(1);

    const waiting = await json('card review');
    expect([waiting.code, waiting.value.status]).toEqual([1, 'waiting']);
    expect((await call('card review')).stdout).toContain('cuebook card approve ada@1');
    expect((await call('card approve ada@1 --by olga')).stderr).toContain('nobody decides on their own card');
    expect((await call('bundle publish')).stdout).toContain('ada  left out: pending');
    expect((await call('card reject ada@1 --by rosa')).code).toBe(2);
    expect((await call('card approve ada@7 --by rosa')).code).toBe(1);
    expect((await call('card approve ada@1 --by rosa')).code).toBe(0);
    expect((await call('card review')).code).toBe(0);
    const shown = await json('card show ada');
    expect(shown.value).toMatchObject({ status: 'approved', signed: true, decidedBy: 'rosa' });
    expect(shown.value.promptView).toContain('about: Counts birds.\\nname: Bo');

    expect((await json('bundle publish')).value.published).toEqual([{ agent: 'ada', version: 1 }]);
    expect((await json('bundle list')).value.bundles).toMatchObject([
      { agent: 'ada', version: 1, isPublic: true },
    ]);
    const verified = await json('bundle verify ada');
    expect([verified.code, verified.value.bundles[0].ok]).toEqual([0, true]);

    const stored = JSON.parse((await call('platform root')).stdout);
    expect(stored.signed).toMatchObject({ _type: 'root', version: 1 });

    const status = (await json('platform')).value;
    expect(status).toMatchObject({ name: 'town', cards: 1, pending: 0, published: 1 });
    expect(status.scenarios).toContainEqual(expect.objectContaining({ id: 'greeting', version: 1 }));

    const keys = join(cwd, '.cuebook', 'platform-keys');
    const rotate = await call(
      `bundle rotate server --key ${keys}/root-1/root.key.json --key ${keys}/root-2/root.key.json --passphrases ${keys}/passphrases.txt`,
    );
    expect([rotate.code, rotate.stderr]).toEqual([0, '']);
    expect((await json('bundle verify')).value.bundles).toMatchObject([{ ok: true, bundleVersion: 2 }]);
    expect((await call('bundle renew')).code).toBe(0);
    expect((await call('bundle verify')).stdout).toContain('ada  valid, version 2');

    const objects = join(cwd, '.cuebook', 'platform', 'objects');
    const bundle = join(objects, 'agents', 'prompts', 'ada', 'bundle.json');
    writeFileSync(bundle, readFileSync(bundle, 'utf8').replace('Counts', 'counts'));
    const tampered = await json('bundle verify');
    expect([tampered.code, tampered.value.bundles[0].ok]).toEqual([1, false]);

    const trail = (await json('platform audit')).value.entries.map(({ type }: { type: string }) => type);
    expect(trail).toEqual(
      expect.arrayContaining(['card.saved', 'card.approved', 'publication.begun', 'publication.done']),
    );
    expect((await call('platform audit --agent ada')).stdout).toContain('card.approved');

    const token = (await json('platform token rosa --role reviewer')).value;
    expect(token.token).toMatch(/^cbp\./);
    expect((await call('platform token rosa --role king')).code).toBe(2);
    expect((await json('platform tokens')).value.tokens).toMatchObject([{ who: 'rosa', role: 'reviewer' }]);
    expect((await call('platform tokens')).stdout).not.toContain(token.token.split('.')[2]);
    expect((await call(`platform revoke ${token.id}`)).code).toBe(0);
    expect((await call(`platform revoke ${token.id}`)).code).toBe(1);

    expect((await call('platform place topic/hall --mode freeform', ['--title', 'The hall'])).stdout).toBe(
      'topic/hall version 1, public\n',
    );
    expect((await json('platform place topic/hall --visibility invited --invite ada')).value).toMatchObject({
      version: 2,
      place: { title: 'The hall', mode: 'freeform', visibility: 'invited', invited: ['ada'] },
    });
    expect((await call('platform place room/hall')).code).toBe(2);
    expect((await call('platform place topic/x*')).code).toBe(2);
    expect((await call('platform places')).stdout).toContain('topic/hall  version 2  invited  The hall');
    expect((await call('platform accept hall/ada/req_1')).stderr).toContain('E_PROPOSAL');
    expect((await call('platform reject hall/ada/req_1 --reason unsafe')).stderr).toContain('E_PROPOSAL');
    expect((await call('platform reject hall/ada/req_1 --reason ugly')).code).toBe(2);
    expect((await call('platform proposals')).stdout).toContain('No proposal waits');
    await call('platform place circle/birders --title Birders --interest birds --interest owls');
    expect((await call('card new cy --name Cy --interest birds')).code).toBe(0);
    expect((await call('card submit cy --by olga')).stdout).toContain('May suit it: circle/birders (50)');
    expect((await json('platform groups cy')).value.groups).toMatchObject([
      { group_id: 'birders', score: 50 },
    ]);
    expect((await call('platform groups nobody')).stderr).toContain('E_REVIEW');
    const theme = { theme: 'Owls', description: 'At night', suggested_roles: ['guide'], duration_days: 7 };
    const lane = [theme, { ...theme, reward: 'A feather' }].map((one) => ({ text: JSON.stringify(one) }));
    writeFileSync(join(cwd, 'week.json'), JSON.stringify({ lanes: { '*': lane } }));
    expect((await call('platform event --date soon')).code).toBe(2);
    const event = await json('platform event --date 2026-11-18 --script week.json --by pia');
    expect(event.value).toMatchObject({ week: '2026-11-16', known: false, event: { reward: 'A feather' } });
    expect((await json('platform event --date 2026-11-22')).value).toMatchObject({ known: true, by: 'pia' });
    expect((await call('platform places')).stdout).toContain('topic/event_20261116  version 1  public  Owls');
    writeFileSync(join(cwd, 'week.json'), JSON.stringify({ lanes: { '*': [lane[0], lane[0]] } }));
    expect((await call('platform event --date 2027-01-01 --script week.json')).stderr).toContain('E_OUTPUT');
    const told = (await json('runs')).value.runs.length;
    expect(told).toBe(2);
    expect((await call('platform admit ada')).stderr).toContain('E_ADMISSION');
    expect((await call('platform statsu')).stderr).toContain('Did you mean status?');
  });

  test('root keys go where they are told, sealed, and without a terminal their passphrases come from a file', async () => {
    const cwd = folderWith({
      ...PROJECT,
      'pass.txt': ['one', 'two', 'three', 'lib', 'rev'].map((name) => `a passphrase for ${name}`).join('\n'),
    });
    const { call } = desk(cwd);
    expect((await call('platform init')).stderr).toContain('--keys DIR');
    expect((await call('platform init --keys a --keys b --keys c')).stderr).toContain('--passphrases FILE');
    const made = await call('platform init --keys a --keys b --keys c --passphrases pass.txt');
    expect([made.code, made.stderr]).toEqual([0, '']);
    for (const name of ['a', 'b', 'c']) {
      const key = join(cwd, name, 'root.key.json');
      expect(statSync(key).mode & 0o077).toBe(0);
      expect(readFileSync(key, 'utf8')).not.toContain('PRIVATE');
    }
    const platform = join(cwd, '.cuebook', 'platform');
    expect(readdirSync(join(platform, 'keys')).filter((name) => name.startsWith('root'))).toEqual([]);
    expect((await call('bundle keys')).stdout).toContain('2 of 3 must agree');
    writeFileSync(join(cwd, 'short.txt'), 'x\n');
    expect(
      (await call('bundle rotate server --key a/root.key.json --key b/root.key.json --passphrases short.txt'))
        .code,
    ).toBe(2);
    expect((await call('bundle rotate server --key a/root.key.json')).code).toBe(2);

    // A root key is replaced: two that are there agree, the new one goes to a folder of its own.
    const known = async () => JSON.parse((await call('bundle keys --json')).stdout).keys.root as string[];
    const [first = '', ...others] = await known();
    const rotate = (more: string, passphrases = 'next.txt') =>
      call(
        `bundle rotate root --key b/root.key.json --key c/root.key.json --passphrases ${passphrases} ${more}`,
      );
    const said = (...names: string[]) => names.map((name) => `a passphrase for ${name}`).join('\n');
    writeFileSync(join(cwd, 'next.txt'), said('two', 'three', 'four'));
    writeFileSync(join(cwd, 'same.txt'), said('two', 'three', 'two'));
    expect((await rotate('--new d')).stderr).toContain('--gone KEY');
    expect((await rotate(`--gone ${first}`)).stderr).toContain('--new DIR');
    expect((await rotate(`--gone ${'0'.repeat(64)} --new d`)).stderr).toContain('it is not a root key');
    expect((await rotate(`--gone ${first} --new b`)).stderr).toContain('share a folder');
    expect((await rotate(`--gone ${first} --new d`, 'same.txt')).stderr).toContain('share a passphrase');
    expect(await known()).toEqual([first, ...others]);
    const replaced = await rotate(`--gone ${first} --new d`);
    expect([replaced.code, replaced.stderr]).toEqual([0, '']);
    expect(replaced.stdout).toContain('Root version 2: a root key was replaced');
    const [come = '', ...rest] = await known();
    expect([come === first, rest]).toEqual([false, others]);
    const sealed = join(cwd, 'd', 'root.key.json');
    expect([statSync(sealed).mode & 0o077, JSON.parse(readFileSync(sealed, 'utf8')).public_key]).toEqual([
      0,
      come,
    ]);
    // The one that went no longer counts; the one that came does.
    const server = (key: string, name: string) => {
      writeFileSync(join(cwd, 'pass2.txt'), said(name, 'two'));
      return call(
        `bundle rotate server --key ${key}/root.key.json --key b/root.key.json --passphrases pass2.txt`,
      );
    };
    expect((await server('a', 'one')).stderr).toContain('fewer holders have signed than must agree');
    expect((await server('d', 'four')).stdout).toContain('Root version 3: the server has a new key');
  });
});
