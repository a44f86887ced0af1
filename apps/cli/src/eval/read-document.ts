import type {
  AblationDocument,
  ComparisonDocument,
  EvalDocument,
  InjectionDocument,
  Mark,
} from '@cuebook/eval';
import type { RunId, Store } from '@cuebook/journal';
import type { Call } from '../command.js';
import { type Bench, openBench } from '../project/bench.js';
import { sha256 } from '../project/hash.js';
import { ablationOf } from './ablation.js';
import { documentOf, type EvalAbout, type MarksOf, readStarted } from './about.js';
import { injectionOf } from './injection/record.js';
import { loadMarks } from './judge/file.js';
import { type StepDocument, stepDocument } from './step-document.js';

/** The document of an eval or a comparison as it stands, from the record and the marks of persons alone. */
export async function comparisonNow(
  call: Call,
  store: Pick<Store, 'read'>,
  run: RunId,
): Promise<ComparisonDocument | EvalDocument | undefined> {
  const started = await readStarted(store, run);
  if (started === undefined) return undefined;
  const { about } = started;
  // Without a judge the record tells everything, also where the project is not.
  const marks =
    about.judges === undefined
      ? undefined
      : await marksOf(call, await openBench(call.flags, call.io, []), about);
  return documentOf(store, run, Math.max(1, await looksOf(store, run)), marks);
}

/** The same for an injection suite, for an ablation, and for a run that serves another one. */
export async function documentNow(
  call: Call,
  store: Pick<Store, 'read'>,
  run: RunId,
): Promise<
  ComparisonDocument | EvalDocument | AblationDocument | InjectionDocument | StepDocument | undefined
> {
  return (
    (await injectionOf(store, run)) ??
    (await comparisonNow(call, store, run)) ??
    (await ablationOf(store, run, sha256))?.document ??
    (await stepDocument(store, run))
  );
}

/** The marks of all judges that score a run. */
export async function marksOf(call: Call, bench: Bench, { judges = {} }: EvalAbout): Promise<MarksOf> {
  const marks = new Map<string, readonly Mark[]>();
  for (const { judge } of Object.values(judges)) marks.set(judge, await loadMarks(call, bench, judge));
  return (judge) => marks.get(judge) ?? [];
}

async function looksOf(store: Pick<Store, 'read'>, run: RunId): Promise<number> {
  let [count, after] = [0, 0];
  for (;;) {
    const events = await store.read(run, { after, limit: 1000 });
    for (const { type, seq } of events) {
      after = seq;
      if (type === 'eval.looked') count += 1;
    }
    if (events.length < 1000) return count;
  }
}
