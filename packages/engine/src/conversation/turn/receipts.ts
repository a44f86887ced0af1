import { guard } from '@cuebook/guard';
import type { AppendBatch, Fence, FileStamps, RunId } from '@cuebook/journal';
import type { GatedRequest, Result } from '@cuebook/prompt';
import type { Sent, ToolEnd, TurnStart } from '@cuebook/provider';
import type { EffectWrites } from '../../effect/beside.js';
import type { TurnOutcome } from '../outcome.js';

/** Writes receipts: `createRecorder` of the journal is one. */
export interface TurnRecorder {
  record(input: RecordTurn, append?: AppendBatch): Promise<Result<unknown, unknown>>;
  sent(input: OfTurn & { readonly sent: Sending }): Promise<Result<unknown, unknown>>;
  end(input: OfTurn & EndTurn, append?: AppendBatch): Promise<Result<unknown, unknown>>;
  /** The newest turn of a lane on record; left out: nothing is known of earlier processes. */
  last?(run: RunId, lane: string): Promise<LastTurn | undefined>;
}

/** What of a turn on record tells what its provider has in its cache. */
interface LastTurn {
  readonly at: number;
  readonly to: { readonly model?: string | undefined };
  readonly request: Pick<GatedRequest, 'prompt'> & { readonly tools: readonly unknown[] };
}

type Sending = Pick<Sent, 'channel' | 'hash' | 'ordinal'>;

interface OfTurn {
  readonly run: RunId;
  readonly turn: string;
  readonly fence?: Fence;
}

export interface RecordTurn extends OfTurn {
  readonly lane: string;
  readonly request: GatedRequest;
  readonly delta?: GatedRequest;
  readonly files?: FileStamps;
  readonly provider: string;
  readonly model?: string;
  readonly sessionId?: string;
  readonly rehearsal?: true;
  readonly sent?: Sending;
}

export interface EndTurn {
  readonly reason: TurnOutcome['end']['reason'];
  readonly error?: { readonly code: string; readonly message: string };
  readonly stop?: string;
  readonly usage?: object;
  readonly sessionId?: string;
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly (Omit<ToolEnd, 'type' | 'input'> & Partial<Pick<ToolEnd, 'input'>>)[];
}

/** The receipts of one try of a turn. */
export interface Receipts {
  started(event: TurnStart): void;
  beforeSend(sent: Sent): Promise<void>;
  /** Written with the outcome of the effect where that may be. `lost` is called if it cannot be written. */
  end(outcome: TurnOutcome, uses: readonly ToolEnd[], lost: () => void): Promise<void>;
}

/** What the receipt of a try says from the start. */
export type TurnFacts = Pick<RecordTurn, 'run' | 'turn' | 'lane' | 'fence' | 'request' | 'delta' | 'files'>;

interface ReceiptParts extends EffectWrites {
  readonly recorder: TurnRecorder;
  readonly voice: Pick<RecordTurn, 'provider' | 'model'>;
  /** Whether the lane is still held, which renews a lease that ran out and that nobody took. */
  readonly stands?: (() => Promise<boolean>) | undefined;
  /** Waits for a journal that is away, as long as it is worth it. */
  readonly tryAgain?: ((tries: number) => Promise<boolean>) | undefined;
}

/** The receipt is written with the first send, or with the end if nothing was sent. */
export function createReceipts(
  { recorder, voice, stands, tryAgain, begin, settleWith }: ReceiptParts,
  facts: TurnFacts,
): Receipts {
  const place = { run: facts.run, turn: facts.turn, ...(facts.fence ? { fence: facts.fence } : {}) };
  let start: TurnStart | undefined;
  let isRecorded = false;

  /** A receipt is written once, however often it is tried: one whose answer was lost is tried again without harm. */
  const tried = async (write: () => Promise<Result<unknown, unknown>>): Promise<Result<unknown, unknown>> => {
    for (let tries = 1; ; tries += 1) {
      const done = await write();
      if (done.ok || codeOf(done.error) !== 'E_JOURNAL_UNAVAILABLE' || !(await tryAgain?.(tries)))
        return done;
    }
  };
  /** A process that stood still for longer than its lease, and was not replaced, was alone all the time: it may go on. */
  const written = async (
    write: () => Promise<Result<unknown, unknown>>,
    isKept: (done: Result<unknown, unknown>) => boolean = ({ ok }) => ok,
  ): Promise<boolean> => {
    const done = await tried(write);
    if (done.ok || codeOf(done.error) !== 'E_JOURNAL_FENCED') return isKept(done);
    return guard('receipt.renewed', (await stands?.()) === true) && isKept(await tried(write));
  };
  const record = async (sent?: Sending): Promise<boolean> => {
    const { provider, model, sessionId, rehearsal } = { ...voice, ...start };
    const receipt = {
      ...facts,
      provider,
      ...(model === undefined ? {} : { model }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(rehearsal ? { rehearsal } : {}),
      ...(sent ? { sent } : {}),
    };
    const isKept = await written(() => recorder.record(receipt, begin));
    isRecorded ||= isKept;
    return isKept;
  };

  return {
    started(event) {
      start = event;
    },
    async beforeSend({ channel, hash, ordinal }) {
      const sent = { channel, hash, ordinal };
      // `turn.start` is on its way when the first bytes are: one trip round the loop lets it be read.
      if (!start) await new Promise((resolve) => setImmediate(resolve));
      const isKept = isRecorded ? await written(() => recorder.sent({ ...place, sent })) : await record(sent);
      if (guard('driver.record', !isKept)) throw new Error('The receipt could not be written.');
    },
    async end(outcome, uses, lost) {
      if (!isRecorded && !(await record().catch(() => false))) return lost();
      const receipt = { ...place, ...endOf(outcome, uses) };
      const write = async (append?: AppendBatch): Promise<void> => {
        if (!(await written(() => recorder.end(receipt, append), isEnded).catch(() => false))) lost();
      };
      if (settleWith?.(write) !== true) await write();
    },
  };
}

/** A write whose answer was lost is tried again together with the outcome, and finds its turn at its end. */
const isEnded = (done: Result<unknown, unknown>): boolean => done.ok || codeOf(done.error) === 'E_TURN_ENDED';

const codeOf = (error: unknown): unknown => (Object(error) as { readonly code?: unknown }).code;

function endOf({ end, usage, sessionId, text, reasoning }: TurnOutcome, uses: readonly ToolEnd[]): EndTurn {
  const { reason, stop, code, message } = end;
  return {
    reason,
    ...(code === undefined ? {} : { error: { code, message: message ?? '' } }),
    ...(stop === undefined ? {} : { stop }),
    ...(usage ? { usage } : {}),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(text === '' ? {} : { text }),
    ...(reasoning === undefined ? {} : { reasoning }),
    calls: uses.map(({ type: _type, input, ...use }) => ({
      ...use,
      ...(input === undefined ? {} : { input }),
    })),
  };
}
