import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunId } from '@cuebook/journal';
import { composeRequest } from '@cuebook/prompt';
import type { EvalStart } from '../src/eval/contract.js';
import { evalRuns } from '../src/eval/eval-kind.js';
import { readTakes } from '../src/eval/read-takes.js';
import type { Ground, StartCall } from '../src/index.js';
import { describeKind } from './conformance.js';

const [FILE, TEXT, TAKES] = ['texts/tone.md', 'Be brief.', 6];
const TARGET = 'eval:tone';

/** One request of the project's text, asked one take at a time, with a look after each. */
async function prepare({ target }: Pick<StartCall, 'target'>, { folder, hash, redactor }: Ground) {
  const error = { code: 'E_RUN_TARGET', message: 'There is no such comparison.', kind: 'invalid' } as const;
  if (target !== TARGET) return { ok: false, error } as const;
  const text = readFileSync(join(folder, FILE), 'utf8');
  const origin = { kind: 'file', ref: FILE, line: 1, column: 1 } as const;
  const labels = { trust: 'author', secrecy: 'public', volatility: 'build' } as const;
  const blocks = [{ name: 'rules', role: 'system' as const, pieces: [{ text, origin, ...labels }] }];
  const composed = composeRequest({ blocks, hash, redactor });
  if (!composed.ok) return { ok: false, error } as const;
  const numbers = Array.from({ length: TAKES }, (_, at) => at + 1);
  const value: EvalStart = {
    requests: [{ blocks, tools: [], params: {}, hash: composed.value.prompt.hash }],
    takes: numbers.map((take) => ({ lane: `base/${take}/case`, key: `case ${take}`, request: 0 })),
    ...{ looks: numbers, jobs: 1, about: null, files: { [FILE]: text } },
  };
  return { ok: true, value } as const;
}

describeKind('an eval', {
  kind: () => evalRuns({ prepare }),
  files: { [FILE]: TEXT },
  target: TARGET,
  run: 'run_tone' as RunId,
  call: {},
  script: (steps) => JSON.stringify({ lanes: { '*': steps } }),
  afterWords: 'idle',
  heard: async ({ store }, run) =>
    JSON.stringify([...(await readTakes(store, run)).values()].map(({ outcome }) => outcome.text)),
  // Whoever looks at what was said has it take the next one.
  again: { after: { text: 'One.' }, word: { type: 'resume' } },
  told: { text: TEXT, ref: FILE },
});
