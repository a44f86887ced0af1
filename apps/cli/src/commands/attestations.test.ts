import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crypto, dsse } from '@sigstore/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { commitAll, git } from '../../test/git.js';

const SCHEMA = JSON.parse(readFileSync(join(ROOT, 'docs/user/attestation.schema.json'), 'utf8'));
const fits = new Ajv2020({ strict: false }).compile(SCHEMA);

const RULES = 'Be kind.\nAlways cite the file.\n';

describe('the attestations of a run', () => {
  it('name the file of each source by digest and commit, fit the schema, and are genuine by another library', async () => {
    const cwd = folderWith({
      'sheets/desk.yaml': 'blocks:\n  - { name: rules, role: system, parts: [{ include: rules }] }\n',
      'texts/rules.md': RULES,
      'script.yaml': 'lanes:\n  "*":\n    - text: Fine.\n',
    });
    commitAll(cwd, 'the rules');
    const commit = git(cwd, 'rev-parse', 'HEAD').trim();
    await cuebook(['run', 'sheet:desk', '--script', 'script.yaml', '--json'], { cwd });
    // As it was then, whatever became of it.
    writeFileSync(join(cwd, 'texts/rules.md'), 'Changed.\n');
    commitAll(cwd, 'other rules', '2099-01-01T10:00:00+0000');
    const { run } = JSON.parse((await cuebook(['runs', '--json'], { cwd })).stdout).runs[0];
    const { stdout } = await cuebook(['runs', 'export', run, '--attestations'], { cwd });
    const key = crypto.createPublicKey(readFileSync(join(cwd, '.cuebook/keys/journal.ed25519.pub'), 'utf8'));
    const statements = stdout
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { payload, payloadType, signatures } = JSON.parse(line);
        const bytes = Buffer.from(payload, 'base64');
        const sig = Buffer.from(signatures[0].sig, 'base64');
        expect(crypto.verify(dsse.preAuthEncoding(payloadType, bytes), key, sig)).toBe(true);
        bytes[9] = (bytes[9] ?? 0) ^ 1;
        expect(crypto.verify(dsse.preAuthEncoding(payloadType, bytes), key, sig)).toBe(false);
        return JSON.parse(Buffer.from(payload, 'base64').toString());
      });
    for (const each of statements) expect([fits(each), fits.errors]).toEqual([true, null]);
    const sha256 = createHash('sha256').update(RULES).digest('hex');
    expect(statements[0].predicate).toMatchObject({
      sources: [{ kind: 'file', ref: 'texts/rules.md', file: { sha256, gitCommit: commit } }],
      policy: { holds: true },
    });
    expect(fits({ ...statements[0], predicate: { ...statements[0].predicate, more: 1 } })).toBe(false);
  });

  it('look as the page on records says', () => {
    const page = readFileSync(join(ROOT, 'docs/user/records.md'), 'utf8');
    const [, example = ''] = /decoded:\n\n```json\n(.*?)```/s.exec(page) ?? [];
    expect([fits(JSON.parse(example)), fits.errors]).toEqual([true, null]);
  });
});
