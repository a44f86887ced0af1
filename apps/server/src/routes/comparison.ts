import { type AnswerOf, COMPARISON_ROUTES, type TakeAnswerView } from '@cuebook/api';
import { type RecordedTake, readTakes, type TakePlan } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import { fromHost, type HttpError, notFound } from '../http/error.js';
import { type Immutable, routeGroup } from '../http/group.js';
import { createRunMask } from '../stream/run-mask.js';
import type { TeamParts } from './parts.js';

type Answer = Immutable<AnswerOf<(typeof COMPARISON_ROUTES)['getComparison']>>;

/** The document of a run of kind eval, from its record alone; undefined for any other run. The command knows how. */
export type ReadComparison = (store: Pick<Store, 'read'>, run: RunId) => Promise<object | undefined>;

/** Hands out answers to mark, and writes down marks: the command knows how. A no names its code. */
export interface PageMarks {
  judges(): Promise<readonly string[]>;
  next(
    store: Store,
    asked: AskedMark,
    passed: readonly string[],
  ): Promise<Result<MarkItem | undefined, MarkError>>;
  /** False: there is no such answer. */
  mark(
    store: Store,
    asked: AskedMark,
    given: { readonly id: string; readonly pass: boolean },
  ): Promise<Result<boolean, MarkError>>;
}

type MarkItem = NonNullable<AnswerOf<(typeof COMPARISON_ROUTES)['nextToMark']>['item']>;
type MarkError = Pick<HttpError, 'code' | 'message'>;

interface AskedMark {
  readonly run: string;
  readonly judge: string;
  readonly by: string;
}

/** What evals and comparisons came to. Confidential words are masked. */
export function comparisonRoutes(
  { runs, store }: Pick<TeamParts, 'runs' | 'store'>,
  { readComparison: read, marks }: { readonly readComparison?: ReadComparison; readonly marks?: PageMarks },
) {
  const documentOf = async (run: string): Promise<Result<Answer['document'], HttpError>> => {
    const document = await read?.(store, run as RunId);
    if (document === undefined) return fail(NO_COMPARISON);
    // What a page does not show stays here.
    return ok(COMPARISON_ROUTES.getComparison.answer.shape.document.parse(document));
  };
  return routeGroup(COMPARISON_ROUTES, {
    getComparison: async ({ params: { run } }) => {
      const document = await documentOf(run);
      if (!document.ok) return document;
      const report = await runs.report(run as RunId);
      if (!report.ok) return fail(fromHost(report.error));
      const mask = await createRunMask(store, run as RunId);
      const { status } = report.value;
      const told = await firstTold(store, run as RunId);
      return ok({
        status,
        document: mask.value(document.value),
        told,
      });
    },
    listAnswers: async ({ params: { run }, query: { case: id } }) => {
      const document = await documentOf(run);
      if (!document.ok) return document;
      const turns = turnsOf(document.value, id);
      if (turns === undefined) return fail(NO_CASE);
      const answers = answersIn(store);
      return ok({ base: await answers(turns.base), candidate: await answers(turns.candidate) });
    },
    nextToMark: async ({ params: { run }, query: { judge, passed } }, { by }) => {
      const judges = (await marks?.judges()) ?? [];
      if (judge === undefined || marks === undefined) return ok({ judges, item: null });
      const over = passed.split(',').filter((id) => id !== '');
      const next = await marks.next(store, { run, judge, by: by.name }, over);
      if (!next.ok) return conflict(next.error);
      return ok({ judges, item: next.value ?? null });
    },
    giveMark: async ({ params: { run }, body: { judge, item, pass } }, { by }) => {
      const given = await marks?.mark(store, { run, judge, by: by.name }, { id: item, pass });
      if (given?.ok === false) return conflict(given.error);
      return given?.value === true ? ok({ done: true as const }) : fail(NO_ITEM);
    },
  });
}

/** The takes of a case; of an attacked one beside those of its user task without an attack. */
function turnsOf(
  document: Answer['document'],
  id: string,
): { readonly base: readonly string[]; readonly candidate: readonly string[] } | undefined {
  if (!('injection' in document))
    return 'cases' in document ? document.cases.find((each) => each.id === id)?.turns : undefined;
  const found = document.cases.find((each) => each.id === id);
  if (found === undefined) return undefined;
  const known = (turns: readonly (string | null)[]): readonly string[] =>
    turns.filter((turn) => turn !== null);
  const isPlain = found.category === null;
  const plain = document.cases.find(({ task, category }) => task === found.task && category === null);
  return { base: known(plain?.turns ?? []), candidate: isPlain ? [] : known(found.turns) };
}

const conflict = (error: MarkError) => fail({ status: 409 as const, ...error });

/** The first take on record of the prompt as it is; where it was never told whole, of a part of it. */
async function firstTold(store: Store, run: RunId): Promise<string | null> {
  const [first] = await store.read(run, { limit: 1 });
  const { takes = [] } = (first?.data ?? {}) as unknown as { readonly takes?: readonly TakePlan[] };
  const known = new Map<string, ReadonlyMap<string, RecordedTake>>();
  const isWhole = ({ lane }: TakePlan): boolean => lane.startsWith('base/');
  for (const { lane, from } of [...takes.filter(isWhole), ...takes.filter((take) => !isWhole(take))]) {
    const place = from ?? { run, lane };
    const own = known.get(place.run) ?? (await readTakes(store, place.run as RunId));
    known.set(place.run, own);
    const found = own.get(place.lane);
    if (found !== undefined) return found.turn;
  }
  return null;
}

/** The answers of takes, each masked by what the run that it was made in must not show. */
function answersIn(store: Store) {
  const known = new Map<string, ReadonlyMap<string, RecordedTake>>();
  return async (turns: readonly string[]) => {
    const answers = [];
    for (const turn of turns) {
      const run = turn.slice(0, turn.indexOf('@')) as RunId;
      const takes = known.get(run) ?? byTurn(await readTakes(store, run));
      known.set(run, takes);
      const found = takes.get(turn);
      if (found === undefined) continue;
      const { text, calls, end, take } = found.outcome as RecordedTake['outcome'] & {
        readonly take?: Partial<Pick<TakeAnswerView, 'transcript'>>;
      };
      const told = {
        ...(take?.transcript === undefined ? {} : { transcript: take.transcript }),
        text,
        calls: calls.map(({ name, input }) => ({ name, input })),
        end: { reason: end.reason, ...(end.code === undefined ? {} : { code: end.code }) },
      };
      const mask = await createRunMask(store, run);
      answers.push({ turn, ...mask.value(told) });
    }
    return answers;
  };
}

const byTurn = (takes: ReadonlyMap<string, RecordedTake>): ReadonlyMap<string, RecordedTake> =>
  new Map([...takes.values()].map((take) => [take.turn, take]));

const NO_COMPARISON = notFound('E_RUN_UNKNOWN', 'There is no eval and no comparison of that id.');
const NO_ITEM = notFound('E_RUN_UNKNOWN', 'The run has no answer of that id to mark.');
const NO_CASE = notFound('E_RUN_UNKNOWN', 'The comparison has no case of that id.');
