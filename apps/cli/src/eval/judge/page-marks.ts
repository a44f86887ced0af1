import { join } from 'node:path';
import { type BlindItem, type BlindOptions, judgeHash, markOf, nextToMark, printMark } from '@cuebook/eval';
import { openLineLog } from '@cuebook/files';
import type { RunId, Store } from '@cuebook/journal';
import type { Call } from '../../command.js';
import { Failure } from '../../failure.js';
import { type Bench, openBench } from '../../project/bench.js';
import { readStarted } from '../about.js';
import { loadMarks, marksFile, requireJudge, requireMarkable } from './file.js';
import { markableTakes } from './judge-takes.js';

type MarkStore = Pick<Store, 'read' | 'vault' | 'projection'>;

/** What a page asks: which takes of a run, by which judge, and who marks. */
interface Asked {
  readonly run: string;
  readonly judge: string;
  readonly by: string;
}

/** Marks given on a page: the same order, the same files and the same blindness as in the terminal. */
export const pageMarks = (call: Call) => ({
  judges: async (): Promise<readonly string[]> => {
    const listed = await (await openBench(call.flags, call.io, [])).files.list('judges');
    if (!listed.ok) return [];
    return listed.value.entries.flatMap(
      ({ name }) => /^([a-z][a-z0-9-]{0,39})\.yaml$/u.exec(name)?.[1] ?? [],
    );
  },
  next: (store: MarkStore, asked: Asked, passed: readonly string[]) =>
    asValue(async (): Promise<BlindItem | undefined> => {
      const { bench, takes, options } = await open(call, store, asked);
      const marks = await loadMarks(call, bench, asked.judge);
      const over = new Set(passed.map((id) => markOf(takes, { id, pass: false, at: '' }, options)?.take));
      return nextToMark(
        takes.filter(({ take }) => !over.has(take)),
        marks,
        options,
      );
    }),
  mark: (store: MarkStore, asked: Asked, { id, pass }: { readonly id: string; readonly pass: boolean }) =>
    asValue(async (): Promise<boolean> => {
      const at = new Date().toISOString();
      const { bench, takes, options } = await open(call, store, asked);
      const mark = markOf(takes, { id, pass, at }, options);
      if (mark === undefined) return false;
      const log = openLineLog(join(bench.folder, marksFile(asked.judge)));
      try {
        const failed = log.append(printMark(mark).trimEnd());
        if (failed !== undefined)
          throw new Failure('E_DISK', `${marksFile(asked.judge)} cannot be written: ${failed}`, { exit: 3 });
        log.sync();
      } finally {
        log.close();
      }
      return true;
    }),
});

/** What cannot be done is told, and ends no server. */
async function asValue<Value>(work: () => Promise<Value>) {
  try {
    return { ok: true, value: await work() } as const;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ok: false, error: { code: error.code, message: error.message } } as const;
  }
}

async function open(call: Call, store: MarkStore, { run, judge: name, by }: Asked) {
  const bench = await openBench(call.flags, call.io, []);
  const judge = await requireJudge(bench, name);
  requireMarkable(judge);
  const takes = await markableTakes(store, run as RunId);
  const options: BlindOptions = {
    ...{ judge: name, asks: judge.asks, by, seed: SEED, hash: bench.hash },
    judgeHash: await hashIn(bench, store, { run, judge }),
  };
  return { bench, takes, options };
}

const SEED = 20240229;

/** The judge as the run had it speak, where its words are still those; and else as it is now. */
async function hashIn(
  { hash }: Bench,
  store: MarkStore,
  { run, judge }: { readonly run: string; readonly judge: Awaited<ReturnType<typeof requireJudge>> },
): Promise<string> {
  const started = await readStarted(store, run as RunId);
  const facts = started as { readonly provider?: string; readonly model?: string } | undefined;
  const known = new Set(Object.values(started?.about.judges ?? {}).map((each) => each.judgeHash));
  const voices = [
    { provider: facts?.provider ?? '', model: facts?.model ?? '' },
    { provider: '', model: facts?.model ?? '' },
    { provider: facts?.provider ?? '', model: '' },
  ];
  const hashes = voices.map((voice) => judgeHash(judge, { ...voice, hash }));
  return hashes.find((each) => known.has(each)) ?? judgeHash(judge, { provider: '', model: '', hash });
}
