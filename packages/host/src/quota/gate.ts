import { DEFAULT_BUDGET } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import type { JsonValue, Result } from '@cuebook/prompt';
import type { HostError, Saying, StartCall, StartedRun } from '../contract.js';
import type { Amounts, Word } from '../word.js';
import { minus, NOTHING, plus, type QuotaAmount, type Reservation } from './account.js';
import { isAtWork, isCovered, restOfRun } from './cover.js';
import type { Granted } from './reserve.js';
import { MAX_TRIES, type SettlePlace, settleQuotas } from './settle.js';
import { readSpending } from './spending.js';

/**
 * The door in front of every run. A run spends no more than its budget; so what limits have left is reserved for its
 * budget before it begins, goes on or gets more, and a reservation is replaced by what was spent when the run is at rest.
 */
export interface QuotaGate {
  begin(
    run: RunId,
    call: StartCall,
    doing: {
      readonly begin: Begin;
      readonly tell: Tell;
      /** A run that is always the same one: to begin it again makes it go on. */
      readonly isStanding: boolean;
    },
  ): Promise<Result<StartedRun, HostError>>;
  tell(run: RunId, word: Word, said: Saying, tell: Tell): Promise<Result<JsonValue, HostError>>;
  /** The same for what only a kind of run knows, and which may make the run spend. */
  spend<Value>(
    run: RunId,
    said: Saying,
    doing: { readonly tell: Tell; readonly work: Work<Value> },
  ): Promise<Result<Value, HostError>>;
  /** Replaces the reservations of runs that are at rest by what they spent. */
  settle(): Promise<void>;
}

export type Begin = (call: StartCall) => Promise<Result<StartedRun, HostError>>;
export type Tell = (word: Word, said: Saying) => Promise<Result<JsonValue, HostError>>;

/** What is done once limits allow it. */
type Work<Value> = () => Promise<Result<Value, HostError>>;

export interface QuotaGateOptions extends SettlePlace {
  /** Whose limits something counts for that somebody says. */
  readonly payer: (by: string) => Promise<string>;
  readonly onReserved?: (() => void | Promise<void>) | undefined;
}

export function createQuotaGate(options: QuotaGateOptions): QuotaGate {
  const { store, quotas, payer, isDaily, onReserved } = options;
  const isLimited = async (): Promise<boolean> => (await quotas.read()).limits.size > 0;
  const find = async (run: RunId): Promise<Reservation | undefined> => (await quotas.read()).open.get(run);
  const isActive = (run: RunId): Promise<boolean> => isAtWork(options, run);

  const settle = (): Promise<void> => settleQuotas(options);

  /** Reserves for a run that has begun. What it gets less than its budget has left is taken off its budget. */
  async function hold(
    { run, tell, said }: Telling,
    person: string,
    raised: Pick<Amounts, 'tokens' | 'usd'> = {},
  ): Promise<Result<Granted, HostError>> {
    const spending = await readSpending(store, run);
    const { spent: total, newest, limit } = spending;
    const isLife = await isDaily(run);
    const spent = isLife ? newest : total;
    const rest = restOfRun(spending, isLife) ?? DEFAULT;
    const granted = await quotas.reserve({
      ...{ run, person, base: total, seq: (await store.head(run))?.seq ?? 0, begins: false, rest },
      asked: moreOf(raised, spent),
      spent: total,
    });
    if (!granted.ok) return granted;
    const most = mostOf(granted.value, rest, { spent, raised });
    if (Object.keys(most).length === 0 || limit === undefined) return granted;
    const lowered = await tell({ type: 'raise', to: { most } }, { id: `${said.id} limit`, by: 'cuebook' });
    return lowered.ok ? granted : lowered;
  }

  /** A word was not taken: its run needs what it needed before. */
  async function giveBack(telling: Telling, person: string): Promise<void> {
    const { run } = telling;
    if (await isActive(run)) await hold(telling, person);
    const entry = await find(run);
    if (entry !== undefined && !(await isActive(run)))
      await quotas.settle(entry, minus((await readSpending(store, run)).spent, entry.base));
    await secure(telling, person);
  }

  /** A run that was begun or told, and that has less reserved than it may spend by now, reserves again or stops. */
  async function secure(telling: Telling, person: string): Promise<void> {
    const { run, tell, said } = telling;
    for (let tries = 0; tries < MAX_TRIES && !(await isCovered(options, run)); tries += 1) {
      const held = await hold(telling, person);
      if (!held.ok && held.error.code === 'E_QUOTA_REACHED')
        await tell({ type: 'stop' }, { id: `${said.id} limit stop`, by: 'cuebook' });
      if (!held.ok) return;
    }
  }

  /** Does what may make a run spend: it has a reservation first, or has nothing done. */
  async function pay<Value>(
    telling: Telling,
    raised: Pick<Amounts, 'tokens' | 'usd'>,
    work: (granted?: Granted) => Promise<Result<Value, HostError>>,
  ): Promise<Result<Value, HostError>> {
    if (!(await isLimited())) return work();
    const { run, said } = telling;
    const entry = await find(run);
    const isMore = raised.tokens !== undefined || raised.usd !== undefined;
    const person = entry?.person ?? (await payer(said.by));
    let granted: Granted | undefined;
    if (entry === undefined || isMore || !(await isActive(run))) {
      await settle();
      const held = await hold(telling, person, raised);
      if (!held.ok) return held;
      granted = held.value;
    }
    const done = await work(granted);
    // The run may have come to rest before it was told, and its reservation be settled.
    if (done.ok) await secure(telling, person);
    else await giveBack(telling, person);
    return done;
  }

  return {
    settle,
    async begin(run, call, { begin, tell, isStanding }) {
      if (!(await isLimited())) return begin(call);
      if ((await store.head(run)) !== undefined)
        return isStanding
          ? pay({ run, tell, said: call }, {}, (most) =>
              begin(most ? { ...call, budget: { ...call.budget, most } } : call),
            )
          : begin(call);
      await settle();
      const person = await payer(call.by);
      const { tokens, usd } = call.budget ?? {};
      const granted = await quotas.reserve({
        ...{ run, person, base: NOTHING, seq: 0, begins: true, rest: DEFAULT },
        asked: { ...(tokens !== undefined && { tokens }), ...(usd !== undefined && { usd }) },
      });
      if (!granted.ok) return granted;
      // The one that it begins with: what somebody has reserved for it since is not looked at.
      const entry = await find(run);
      await onReserved?.();
      const begun = await begin({ ...call, budget: { ...call.budget, most: granted.value } });
      if (!begun.ok) {
        if (entry !== undefined && (await store.head(run)) === undefined) await quotas.release(entry);
        return begun;
      }
      const { limit } = await readSpending(store, run);
      const real = limit && { tokens: limit.tokens, usd: limit.usd ?? 0 };
      if (entry && real && (real.tokens < entry.tokens || real.usd < entry.usd))
        await quotas.lower(entry, {
          tokens: Math.min(real.tokens, entry.tokens),
          usd: Math.min(real.usd, entry.usd),
        });
      await secure({ run, tell, said: call }, person);
      return begun;
    },
    async tell(run, word, said, tell) {
      if (FREE.has(word.type)) return tell(word, said);
      const raised = word.type === 'raise' && word.lane === undefined ? word.to : {};
      return pay({ run, tell, said }, raised, () => tell(word, said));
    },
    spend: (run, said, { tell, work }) => pay({ run, tell, said }, {}, work),
  };
}

interface Telling {
  readonly run: RunId;
  readonly tell: Tell;
  readonly said: Saying;
}

/** What is asked for beyond what is spent. */
const moreOf = ({ tokens, usd }: Pick<Amounts, 'tokens' | 'usd'>, spent: QuotaAmount): Granted => ({
  ...(tokens !== undefined && { tokens: minus({ tokens, usd: 0 }, spent).tokens }),
  ...(usd !== undefined && { usd: minus({ tokens: 0, usd }, spent).usd }),
});

/** What a budget may be at most, in units of which less was granted than it has left. */
function mostOf(
  granted: Granted,
  rest: QuotaAmount,
  { spent, raised }: { readonly spent: QuotaAmount; readonly raised: Pick<Amounts, 'tokens' | 'usd'> },
): Granted {
  const isShort = (unit: 'tokens' | 'usd'): boolean =>
    raised[unit] === undefined && (granted[unit] ?? Number.POSITIVE_INFINITY) < rest[unit];
  const all = plus({ ...NOTHING, ...granted }, spent);
  return {
    ...(isShort('tokens') && { tokens: all.tokens }),
    ...(isShort('usd') && { usd: all.usd }),
  };
}

const DEFAULT: QuotaAmount = { tokens: DEFAULT_BUDGET.tokens, usd: DEFAULT_BUDGET.usd };

/** Words that make nobody spend. */
const FREE: ReadonlySet<Word['type']> = new Set(['stop', 'interrupt', 'finish']);
