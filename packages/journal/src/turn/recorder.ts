import { guard } from '@cuebook/guard';
import { createComposeMemo, fail, type JsonValue, ok, type Result, shippedText } from '@cuebook/prompt';
import type { AppendBatch, Fence, ProjectionChange, RunId, Store } from '../contract.js';
import { JournalFailure } from '../error.js';
import { confidentialChange } from '../retain/confidential-turns.js';
import { createBases } from './bases.js';
import { jsonText } from './canonical.js';
import { catchUp, goOn } from './catch-up.js';
import { briefDigest, digest, promptHash, shortHash } from './digest.js';
import { encodeEnd, type RecordedOutcome } from './end.js';
import type { ReceiptError } from './error.js';
import type { Signer } from './key/key.js';
import { isLate } from './key/late.js';
import { encodeRequest, type RecordedRequest } from './manifest/encode.js';
import { type FileStamp, type FileStamps, NO_FILES } from './manifest/files.js';
import { type BlobSink, blobSink } from './manifest/packed.js';
import { parseReceipt } from './parse.js';
import { type RebuiltTurn, rebuildTurn } from './rebuild.js';
import type { Destination, ReceiptType, Sending, SentBytes } from './receipt.js';
import { emptyRun, foldEvent, type RecordedRun } from './run-state.js';
import { seal } from './seal.js';
import type { Unsealed } from './wire/receipt-data.js';

interface OfTurn {
  readonly run: RunId;
  /** Unique within the run. */
  readonly turn: string;
  /** The command's id; by default it is made from the turn and what happens in it. */
  readonly command?: string;
  readonly fence?: Fence;
}

export interface RecordInput extends OfTurn {
  /** Whose turn it is: a node, a thread. */
  readonly lane: string;
  /** The full effective prompt. */
  readonly request: RecordedRequest;
  /** What is really sent where the provider keeps the history. */
  readonly delta?: RecordedRequest;
  /** Files that words come from and that the run was not begun with, or has read again since. */
  readonly files?: FileStamps;
  readonly provider: string;
  readonly model?: string;
  readonly sessionId?: string;
  readonly rehearsal?: true;
  /** The first bytes of the turn, if they are known: then one receipt holds both. */
  readonly sent?: Sending;
}

export interface SentInput extends OfTurn {
  readonly sent: Sending;
}

export interface EndInput extends OfTurn, RecordedOutcome {}

/** Where a receipt is. */
export interface ReceiptPlace {
  readonly seq: number;
  /** It was written before, by the same command. */
  readonly repeated: boolean;
}

/**
 * Writes the receipts of turns. Each call resolves when its receipt is on disk, and does nothing twice: the same
 * call again answers the same. Receipts of one run are written one after the other.
 */
export interface Recorder {
  /** Before the prompt is sent. `append`: how its commit is written, by default as `append` of the store does. */
  record(input: RecordInput, append?: AppendBatch): Promise<Result<ReceiptPlace, ReceiptError>>;
  /** Before each further send of the turn: a retry, an answer in mid-turn. */
  sent(input: SentInput): Promise<Result<ReceiptPlace, ReceiptError>>;
  /** When the turn is over, however it ended. */
  end(input: EndInput, append?: AppendBatch): Promise<Result<ReceiptPlace, ReceiptError>>;
  /** The newest turn of a lane on record; undefined where there is none that can be read. */
  last(run: RunId, lane: string): Promise<RebuiltTurn | undefined>;
}

export interface RecorderOptions {
  readonly store: Store;
  readonly signer: Signer;
}

export function createRecorder({ store, signer }: RecorderOptions): Recorder {
  const bases = createBases(store);
  // Prompts of a lane go on from one another, and so do their digests.
  const joins = createComposeMemo();
  const wholeOf = ({ blocks }: RecordedRequest['prompt']): string => joins.join(blocks, promptHash).hash;
  const runs = new Map<RunId, { state: RecordedRun; tail: Promise<unknown> }>();

  /** Calls for one run take turns. */
  const inTurn = <Value>(
    run: RunId,
    work: (state: RecordedRun) => Promise<Result<Value, ReceiptError>>,
  ): Promise<Result<Value, ReceiptError>> => {
    const known = runs.get(run) ?? { state: emptyRun(), tail: Promise.resolve() };
    const next = known.tail.then(() => work(known.state)).catch(asFailure);
    const settled = next.then(nothing, nothing);
    known.tail = settled;
    remember(runs, run, known);
    return next;
  };

  /**
   * Signs and appends; when the run has gone on meanwhile, reads on and tries again. Where this process knows how the
   * run went on, nothing is read first: the store compares. A refusal is told only after reading.
   */
  const write = (
    input: OfTurn,
    draft: Draft,
    append: AppendBatch = store.append,
  ): Promise<Result<ReceiptPlace, ReceiptError>> =>
    inTurn(input.run, async (state) => {
      let hasRead = !goOn(store, input.run, state);
      if (hasRead) await catchUp(store, input.run, state);
      for (let attempt = 1; ; attempt += 1) {
        const sink = blobSink();
        const drafted = await draft.body(state, sink);
        if (!drafted.ok && hasRead) return drafted;
        if (!drafted.ok) {
          await catchUp(store, input.run, state);
          hasRead = true;
          continue;
        }
        const { prev, seq, head } = state;
        const standing = { type: draft.type, run: input.run, seq: seq + 1, after: head, prev };
        const data = seal({ type: draft.type, body: drafted.value } as Unsealed, standing, signer);
        const appended = await append({
          run: input.run,
          command: draft.command,
          target: draft.target,
          events: [{ type: draft.type, data: data as unknown as JsonValue }],
          expectedSeq: seq,
          blobs: sink.blobs,
          projections: (await draft.projections?.(state)) ?? [],
          ...(input.fence && { fence: input.fence }),
        });
        if (!appended.ok && appended.error.code === 'E_JOURNAL_MOVED' && attempt < MAX_ATTEMPTS) {
          await catchUp(store, input.run, state);
          hasRead = true;
          continue;
        }
        if (!appended.ok) return appended;
        const { firstSeq, lastSeq, repeated, hash } = appended.value;
        if (!repeated) draft.done?.(firstSeq);
        // What was written just now need not be read again, nor what was written behind it in the same commit.
        if (!repeated)
          foldEvent(state, { seq: firstSeq, hash, type: draft.type, data: data as unknown as JsonValue });
        if (lastSeq > state.seq) goOn(store, input.run, state);
        return ok({ seq: firstSeq, repeated });
      }
    });

  const idOf = ({ turn, command }: RecordInput): string => command ?? `turn ${turn}`;

  /** Why nothing more can be said in the turn, if so. A repeated command is the store's to recognise. */
  const refusal = async (
    state: RecordedRun,
    { run, turn }: OfTurn,
    command: string,
  ): Promise<{ readonly ok: false; readonly error: ReceiptError } | undefined> => {
    const known = state.turns.get(turn);
    if (guard('receipt.unknown', known === undefined)) return fail({ code: 'E_TURN_UNKNOWN', run, turn });
    const over = known?.ended === true && (await store.findCommand(run, command)) === undefined;
    return guard('receipt.ended', over) ? fail({ code: 'E_TURN_ENDED', run, turn }) : undefined;
  };

  const record: Recorder['record'] = async (input, append) => {
    const { run, turn, lane, request, delta, sent } = input;
    let written: (seq: number) => void = nothing;
    const drafted: Draft = {
      type: 'turn.recorded',
      command: idOf(input),
      target: briefDigest(`${lane}\n${request.prompt.hash}\n${delta?.prompt.hash ?? ''}`),
      body: async (state, sink) => {
        if (state.first === undefined && (await isLate(store, signer, run)))
          return fail({ code: 'E_JOURNAL_KEY_REPLACED', key: signer.keyId });
        const again = state.turns.has(turn) && (await store.findCommand(run, idOf(input))) === undefined;
        if (guard('receipt.again', again)) return fail({ code: 'E_TURN_EXISTS', run, turn });
        const base = state.turns.has(turn) ? undefined : await bases.of(run, lane, state);
        const stampOf = stamping(input.files ?? NO_FILES, state.files);
        const to = toDestination(input);
        const encoded = encodeRequest({ turn, lane, request, delta, to, base, stampOf, wholeOf }, sink);
        if (!encoded.ok) return fail({ code: 'E_TURN_HASH', run, turn, block: encoded.error[0] ?? '' });
        const { data, manifest } = encoded.value;
        const texts = new Map(request.prompt.blocks.map(({ name, text }) => [name, text]));
        written = (seq) => bases.keep(run, lane, { seq, manifest, texts });
        return ok({ ...data, number: state.turns.size + 1, ...(sent && { sent: toSent(sent) }) });
      },
      projections: (state) =>
        confidentialChange({ store, run, turn, isFirst: state.first === undefined }, request, delta),
      done: (seq) => written(seq),
    };
    const place = await write(input, drafted, append);
    // The same turn again in a later process: its bytes may be others, so they get a link of their own.
    if (!place.ok || !place.value.repeated || sent === undefined) return place;
    if (await isLinked(store, run, place.value.seq, sent)) return place;
    return linkSent({ run, turn, sent, ...(input.fence && { fence: input.fence }) });
  };

  const linkSent = (input: SentInput): Promise<Result<ReceiptPlace, ReceiptError>> => {
    const { turn, sent } = input;
    const { channel, hash, ordinal } = sent;
    const command = input.command ?? `turn ${turn} sent ${ordinal} ${shortHash(hash).slice(0, 8)}`;
    return write(input, {
      type: 'turn.sent',
      command,
      target: briefDigest(`${channel}\n${hash}\n${ordinal}`),
      body: async (state) => (await refusal(state, input, command)) ?? ok({ turn, sent: toSent(sent) }),
    });
  };

  return {
    record,
    sent: linkSent,
    end: (input, append) => {
      const { run, turn, command = `turn ${turn} end`, fence, ...outcome } = input;
      const drafted: Draft = {
        type: 'turn.ended',
        command,
        target: briefDigest(jsonText(outcome)),
        body: async (state, sink) =>
          (await refusal(state, input, command)) ?? ok({ turn, ...encodeEnd(outcome, sink) }),
      };
      return write(input, drafted, append);
    },
    last: async (run, lane) => {
      const known = await inTurn(run, async (state) => {
        await catchUp(store, run, state);
        return ok(newestOf(state, lane));
      });
      const turn = known.ok ? known.value : undefined;
      const rebuilt = turn === undefined ? undefined : await rebuildTurn(store, run, turn);
      return rebuilt?.ok ? rebuilt.value : undefined;
    },
  };
}

/** A file as it was when it was read: later ones go before what the run was begun with. */
const stamping =
  (later: FileStamps, begun: FileStamps) =>
  (file: string): FileStamp | undefined => {
    const shipped = shippedStamp(file);
    if (shipped !== undefined) return shipped;
    const [own, first] = [later, begun].map((each) => (Object.hasOwn(each, file) ? each[file] : undefined));
    return own === undefined || own.hash === first?.hash ? first : own;
  };

/** What comes with Cuebook stays as it is while a process runs. */
function shippedStamp(file: string): FileStamp | undefined {
  const text = SHIPPED.has(file) ? undefined : shippedText(file);
  if (text !== undefined) SHIPPED.set(file, { hash: digest(text) });
  return SHIPPED.get(file);
}

const SHIPPED = new Map<string, FileStamp>();

interface Draft {
  readonly type: ReceiptType;
  readonly command: string;
  readonly target: string;
  readonly body: (state: RecordedRun, sink: BlobSink) => Promise<Result<Unsealed['body'], ReceiptError>>;
  readonly projections?: (state: RecordedRun) => Promise<readonly ProjectionChange[]>;
  readonly done?: (seq: number) => void;
}

/** Every failed attempt means that somebody else's write came through. */
const MAX_ATTEMPTS = 100;
/** Runs whose place in the log is remembered; one more is read again when it is needed. */
const MAX_RUNS = 256;

const nothing = (): void => undefined;

/** A store that cannot be read is an answer, not a crash. */
function asFailure(error: unknown): { readonly ok: false; readonly error: ReceiptError } {
  if (error instanceof JournalFailure) return fail(error.error);
  throw error;
}

function remember<Value>(runs: Map<RunId, Value>, run: RunId, value: Value): void {
  runs.delete(run);
  runs.set(run, value);
  const [oldest] = runs.keys();
  if (runs.size > MAX_RUNS && oldest !== undefined) runs.delete(oldest);
}

function newestOf({ lanes, turns }: RecordedRun, lane: string): string | undefined {
  const newest = lanes.get(lane);
  return [...turns].findLast(([, { seq }]) => seq === newest)?.[0];
}

const toSent = ({ channel, hash, ordinal }: Sending): SentBytes => ({
  channel,
  hash: shortHash(hash),
  ordinal,
});

const toDestination = ({ provider, model, sessionId, rehearsal }: RecordInput): Destination => ({
  provider,
  ...(model === undefined ? {} : { model }),
  ...(sessionId === undefined ? {} : { session: sessionId }),
  ...(rehearsal && { rehearsal }),
});

async function isLinked(store: Store, run: RunId, seq: number, sent: Sending): Promise<boolean> {
  const [event] = await store.read(run, { after: seq - 1, limit: 1 });
  const receipt = event && parseReceipt('turn.recorded', event.data);
  const first = receipt?.type === 'turn.recorded' ? receipt.data.sent : undefined;
  return first?.hash === shortHash(sent.hash) && first.ordinal === sent.ordinal;
}
