import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as test } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

describe('the keys of a platform by command', () => {
  test('health says what ends, holders sign a request elsewhere, and reviews are signed again', async () => {
    const cwd = folderWith({ 'cuebook.yaml': 'roots: {}\n' });
    const call = (args: string) => cuebook(args.split(' '), { cwd });
    const json = async (args: string) => JSON.parse((await call(`${args} --json`)).stdout);
    await call('platform init --rehearsal --name town');
    await call('card new ada --name Ada');
    await call('card submit ada --by olga');
    await call('card approve ada@1 --by rosa');
    expect((await call('card approve ada@1 --by rosa')).stderr).toContain('it was decided already');
    await call('bundle publish');

    const health = await call('platform health');
    expect([health.code, health.stdout]).toEqual([0, expect.stringContaining('nothing ends before long')]);
    const { expiries, roles } = await json('platform health');
    expect(roles.map(({ role }: { role: string }) => role)).toEqual([
      'root',
      'library',
      'reviews',
      'online',
      'log',
    ]);
    expect(expiries).toContainEqual(
      expect.objectContaining({
        what: 'review',
        agent: 'ada',
        who: 'reviewer',
        command: 'cuebook card renew ada',
      }),
    );
    expect((await call('platform renew')).stdout).toContain('nothing ends before long');
    expect((await call('platform fleet')).stdout).toContain('ada  unknown: should have bundle 1');

    // The holders are elsewhere: a request goes out, and signatures come in.
    const keys = join(cwd, '.cuebook', 'platform-keys');
    const [one = '', two = ''] = readFileSync(join(keys, 'passphrases.txt'), 'utf8').split('\n');
    writeFileSync(join(cwd, 'one.txt'), `${one}\n`);
    writeFileSync(join(cwd, 'two.txt'), `${two}\n`);
    expect((await call('platform rotate moon --out x')).stderr).toContain('A role is root');
    const asked = await call('platform rotate log --out log.request');
    expect([asked.code, asked.stdout]).toEqual([
      0,
      expect.stringMatching(/log: [0-9a-f]{64} goes\nlog: [0-9a-f]{64} comes\n/),
    ]);
    expect((await call('platform rotate log --out log.request')).code).not.toBe(0);
    const sign = (n: number, name: string) =>
      call(
        `platform sign log.request --key ${keys}/root-${n}/root.key.json --passphrases ${name}.txt --out ${name}.sig`,
      );
    expect((await sign(1, 'one')).stdout).toContain('Signed. Hand over one.sig');
    const few = await call('platform apply log.request --signature one.sig');
    expect([few.code, few.stderr]).toEqual([1, expect.stringContaining('fewer holders have signed')]);
    expect((await sign(2, 'two')).code).toBe(0);
    const applied = await call('platform apply log.request --signature one.sig --signature two.sig');
    expect([applied.code, applied.stderr, applied.stdout]).toEqual([
      0,
      '',
      expect.stringContaining('1 bundle signed again'),
    ]);
    expect(
      (await call('platform apply log.request --signature one.sig --signature two.sig')).stderr,
    ).toContain('make a new one');
    expect((await call('platform apply one.sig')).stderr).toContain('the file is not a request');
    expect((await call('bundle verify')).code).toBe(0);

    // Another reviewer takes over: what the first one signed is signed again.
    writeFileSync(join(cwd, 'three.txt'), `${one}\n${two}\na passphrase for rita\n`);
    const [gone] = (await json('bundle keys')).keys.reviewers;
    const rotated = await call(
      `platform rotate reviewer --gone ${gone} --new rita --key ${keys}/root-1/root.key.json --key ${keys}/root-2/root.key.json --passphrases three.txt`,
    );
    expect([rotated.code, rotated.stdout]).toEqual([1, expect.stringContaining('ada  waits for a reviewer')]);
    const sick = await call('platform health');
    expect([sick.code, sick.stdout]).toEqual([
      1,
      expect.stringMatching(/ada review is not signed by those who count now; .*card renew ada/),
    ]);
    writeFileSync(join(cwd, 'rita.txt'), 'a passphrase for rita\n');
    const renewed = await call('card renew --key rita/reviewer.key.json --passphrases rita.txt --by rita');
    expect([renewed.code, renewed.stdout]).toEqual([0, expect.stringContaining('1 review signed')]);
    expect((await call('platform renew')).stdout).toContain('Renewed 1 snapshot');
    expect([(await call('platform health')).code, (await call('bundle verify')).code]).toEqual([0, 0]);
    const extended = await call(
      `platform extend root --key ${keys}/root-1/root.key.json --key ${keys}/root-2/root.key.json --passphrases three.txt`,
    );
    expect(extended.stdout).toContain('what was signed offline has a new end');
    expect((await json('platform fleet')).members).toMatchObject([
      { agent: 'ada', verification: { ok: true } },
    ]);
  });
});
