import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { openForTest, sqlitePlaces } from '../../test/places.js';
import { block, freshSigner, keysOf, must, requestOf } from '../../test/turns.js';
import type { RunId } from '../contract.js';
import { forgetContent } from '../retain/forget.js';
import { digest } from '../turn/digest.js';
import { turnOf } from '../turn/find.js';
import { createRecorder } from '../turn/recorder.js';
import { exportRun } from './export-run.js';
import { verifyExport } from './verify-export.js';

const RUN = 'run_a' as RunId;
const signer = freshSigner();
const publicKeys = keysOf(signer);
let lines: readonly string[] = [];
let forgotLines: readonly string[] = [];
let head = '';

/** Which turn a line of the file holds something of, and which part of it. */
const places = new Map<number, { readonly turn: string; readonly part?: string }>();

async function* linesOf(text: string): AsyncIterable<string> {
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  yield* all;
}

const verify = async (text: string, known?: string) => {
  const options = { publicKeys, ...(known === undefined ? {} : { head: known }) };
  const [verified] = (await verifyExport(linesOf(text), options)).runs;
  if (verified === undefined) throw new Error('there is one run in a file');
  return verified;
};

/** Records the run that all tests look at, once. */
async function record(): Promise<void> {
  if (lines.length > 0) return;
  const store = await openForTest(await sqlitePlaces.fresh());
  const recorder = createRecorder({ store, signer });
  const start = { run: RUN, command: 'start', target: 'x', expectedSeq: 0 };
  const projections = [{ name: 'state', key: RUN, value: { on: true } }];
  must(await store.append({ ...start, events: [{ type: 'run.started', data: {} }], projections }));
  const parts = new Map<string, { turn: string; part: string }>();
  for (const turn of ['t1', 't2', 't3', 't4']) {
    const texts = { rules: `Rules of ${turn}. `.repeat(9), task: `Do ${turn}, please; γ.` };
    const request = requestOf(Object.entries(texts).map(([name, text]) => block(name, text)));
    must(await recorder.record({ run: RUN, turn, lane: turn, request, provider: 'rehearsal' }));
    const answer = `Done with ${turn}. `.repeat(10);
    must(await recorder.end({ run: RUN, turn, reason: 'done', text: answer }));
    for (const [part, text] of Object.entries({ ...texts, response: answer }))
      parts.set(digest(text), { turn, part });
  }
  const exported = async () => {
    const found: string[] = [];
    for await (const line of exportRun(store, RUN, { publicKeys })) found.push(line.replace(/\n$/, ''));
    return found;
  };
  lines = await exported();
  head = (await store.head(RUN))?.hash ?? '';
  for (const [index, line] of lines.entries()) {
    const { commit, blob } = JSON.parse(line);
    const turn = commit?.events.map((event: never) => turnOf(event)).find(Boolean);
    const place = blob === undefined ? turn && { turn } : parts.get(blob);
    if (place) places.set(index, place);
  }
  must(await forgetContent(store, { run: RUN, turn: 't2', blocks: ['task'], by: 'Ada', reason: 'asked to' }));
  forgotLines = await exported();
}

describe('an exported run where it lies', () => {
  test('verifies, and tells what was deleted and by whom', async () => {
    await record();
    expect(await verify(lines.join('\n'))).toMatchObject({ ok: true, turns: 4, problems: [], forgotten: [] });
    expect(await verify(forgotLines.join('\n'))).toMatchObject({
      ok: true,
      forgotten: [{ turn: 't2', part: 'task', by: 'Ada', reason: 'asked to' }],
    });
  });

  test('names the turn and the part of every damage, however it was done', async () => {
    await record();
    const text = `${lines.join('\n')}\n`;
    const at = fc.nat(Buffer.byteLength(text) - 1);
    const line = fc.nat(lines.length - 1);
    const damage = fc.oneof(
      fc.record({ kind: fc.constant('flip' as const), at, bit: fc.nat(7) }),
      fc.record({ kind: fc.constant('remove' as const), line }),
      fc.record({ kind: fc.constant('swap' as const), line, other: line }),
      fc.record({ kind: fc.constant('cut' as const), at }),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (each) => {
        const changed = damaged(text, each);
        fc.pre(changed !== text);
        const { problems, ok } = await verify(changed, head);
        expect(ok).toBe(false);
        const now = changed.split('\n');
        const isThere = new Set(now);
        for (const [index, place] of places) {
          // A line that is there unchanged, or whose turn went with all that names it, is no damage to name.
          if (isThere.has(lines[index] ?? '') || !changed.includes(`"turn":"${place.turn}"`)) continue;
          const found = problems.filter(({ turn }) => turn === place.turn);
          expect(found, `${JSON.stringify(each)} line ${index + 1}`).not.toEqual([]);
          // Which part a content is of, its receipts say.
          const receipts = [...places].filter(([, one]) => one.turn === place.turn && one.part === undefined);
          const isTold = receipts.every(([receipt]) => isThere.has(lines[receipt] ?? ''));
          if (place.part !== undefined && isTold) expect(found.map((one) => one.block)).toContain(place.part);
        }
      }),
      runs(300, 1_000),
    );
  });

  test('a file that was put back to an earlier state with fitting sums is found by a head that is known', async () => {
    await record();
    for (let count = 2; count < 9; count += 1) {
      const commits = lines.filter((each) => each.startsWith('{"commit"')).slice(0, count);
      const last = JSON.parse(commits.at(-1) ?? '{}').commit.hash as string;
      const rest = lines.filter((each) => /^\{"(blob|projection)"/.test(each));
      const body = [JSON.stringify({ ...JSON.parse(lines[0] ?? '{}'), head: last }), ...commits, ...rest];
      const sum = createHash('sha256')
        .update(`${body.join('\n')}\n`)
        .digest('hex');
      const file = [...body, JSON.stringify({ end: `sha256:${sum}` })].join('\n');
      expect((await verify(file)).ok).toBe(true);
      expect((await verify(file, head)).problems.map(({ code }) => code)).toEqual(['E_VERIFY_HEAD']);
    }
  });

  test('what is no export at all is said to be none', async () => {
    await record();
    for (const text of ['', '{}', 'nothing\nat all', '\u0000'.repeat(40)]) {
      const { ok, problems } = await verify(text);
      expect(ok).toBe(false);
      expect(problems.length).toBeGreaterThan(0);
    }
  });
});

type Damage =
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number }
  | { readonly kind: 'remove'; readonly line: number }
  | { readonly kind: 'swap'; readonly line: number; readonly other: number }
  | { readonly kind: 'cut'; readonly at: number };

function damaged(text: string, each: Damage): string {
  const bytes = Buffer.from(text);
  if (each.kind === 'cut') return bytes.subarray(0, each.at).toString('latin1');
  if (each.kind === 'flip') {
    bytes[each.at] = (bytes[each.at] ?? 0) ^ (1 << each.bit);
    return bytes.toString();
  }
  const all = [...lines];
  if (each.kind === 'remove') all.splice(each.line, 1);
  else [all[each.line], all[each.other]] = [all[each.other] ?? '', all[each.line] ?? ''];
  return `${all.join('\n')}\n`;
}
