import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRecorder, openStore, type RunId, signerOf } from '@cuebook/journal';
import { composeRequest, createRedactor } from '@cuebook/prompt';
import { TEMPLATE } from '../src/init/template.js';
import { sha256 } from '../src/project/hash.js';
import { folderWith } from './cuebook.js';

/** A project with two runs on record: `run_alpha` has two turns, one of them open; `run_beta` has ended. */
export async function projectWithRuns(): Promise<{ cwd: string; keyId: string; publicKey: string }> {
  const cwd = folderWith(TEMPLATE);
  const home = join(cwd, '.cuebook');
  mkdirSync(join(home, 'keys'), { recursive: true, mode: 0o700 });
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signer = signerOf(pem);
  if (signer === undefined) throw new Error('no key');
  writeFileSync(join(home, 'keys/journal.ed25519'), pem, { mode: 0o600 });
  writeFileSync(join(home, 'keys/journal.ed25519.pub'), signer.publicKey);
  let now = Date.parse('2026-01-02T03:04:05Z');
  const tick = (): number => {
    now += 1000;
    return now;
  };
  const opened = await openStore({ file: join(home, 'journal.db') }, { clock: { now: () => tick() } });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const recorder = createRecorder({ store, signer });
  const must = (result: { ok: boolean }): void => {
    if (!result.ok) throw new Error(JSON.stringify(result));
  };
  const to = { lane: 'planner', provider: 'rehearsal', model: 'm-1' };
  for (const [run, turn] of [
    ['run_beta', 'first'],
    ['run_alpha', 'one'],
    ['run_alpha', 'two'],
  ] as const) {
    const full = requestOf(turn);
    const sent = { channel: 'http' as const, hash: sha256(turn), ordinal: 1 };
    const delta = turn === 'two' ? { delta: requestOf('only this') } : {};
    must(await recorder.record({ run: run as RunId, turn, ...to, request: full, ...delta, sent }));
    if (turn === 'two') continue;
    const text = `Done with ${turn}; the rule says: ${CONFIDENTIAL}`;
    must(await recorder.end({ run: run as RunId, turn, reason: 'done', text }));
  }
  await store.close();
  return { cwd, keyId: signer.fingerprint, publicKey: signer.publicKey };
}

/** What must not be shown without `--reveal`. */
export const CONFIDENTIAL = 'never name the client of the house';

function requestOf(task: string) {
  const labels = { trust: 'operator', volatility: 'session' } as const;
  const origin = { kind: 'file', ref: 'rules.md', line: 1, column: 1 } as const;
  const rule = { text: CONFIDENTIAL, origin, secrecy: 'confidential', ...labels } as const;
  const plain = { text: 'House rule: ', origin, secrecy: 'public', ...labels } as const;
  const said = { text: `Task: ${task}`, origin, secrecy: 'public', ...labels } as const;
  const composed = composeRequest({
    blocks: [
      { name: 'rules', role: 'system', pieces: [plain, rule] },
      { name: 'task', role: 'user', pieces: [said] },
    ],
    hash: sha256,
    redactor: createRedactor({ roots: [], private: [], names: [] }),
  });
  if (!composed.ok) throw new Error(JSON.stringify(composed.error));
  return composed.value;
}
