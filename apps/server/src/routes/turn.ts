import { headOfTurn, packTurn, TURN_ROUTES, type TurnView } from '@cuebook/api';
import { openKeptFiles } from '@cuebook/host';
import {
  describeTurnError,
  eventsOf,
  knownKeys,
  parseReceipt,
  type RebuiltTurn,
  type ReceiptError,
  type RunId,
  rebuildTurn,
  verifyRun,
} from '@cuebook/journal';
import { fail, type GatedRequest, ok, type Result } from '@cuebook/prompt';
import { priceOf, pricesOf, turnBody } from '@cuebook/provider';
import { blame, hasWordsFrom, lineThen, wordsFrom } from '@cuebook/workspace/history';
import type { HttpError } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { receiptView } from '../view/receipt-view.js';
import { turnTokens } from '../view/turn-tokens.js';
import { turnView, wireView } from '../view/turn-view.js';
import { requireAny, type TeamParts } from './parts.js';

/** What turns were told. Confidential words are masked unless they are asked for. */
export function turnRoutes(parts: TeamParts) {
  const { store, config, files, git, publicKeys } = parts;
  const requireTurn = async (run: string, turn: string): Promise<Result<RebuiltTurn, HttpError>> => {
    const read = await requireAny(parts, run);
    if (!read.ok) return read;
    const rebuilt = await rebuildTurn(store, run as RunId, turn);
    if (rebuilt.ok) return rebuilt;
    const status: HttpError['status'] = rebuilt.error.code === 'E_TURN_UNKNOWN' ? 404 : 409;
    return fail({ status, code: rebuilt.error.code, message: sentenceOf(rebuilt.error) });
  };
  const readTurn = async (run: string, turn: string, reveal: 'true' | 'false') => {
    const found = await requireTurn(run, turn);
    if (!found.ok) return found;
    const receipt = await receiptView(store, found.value);
    return ok(turnView(found.value, receipt, reveal === 'true'));
  };
  return routeGroup(TURN_ROUTES, {
    listRecorded: async ({ params: { run } }) => {
      const read = await requireAny(parts, run);
      if (!read.ok) return read;
      const turns: { turn: string; lane: string; seq: number; at: number }[] = [];
      for await (const { type, data, seq, at } of eventsOf(store, run as RunId)) {
        const receipt = type === 'turn.recorded' ? parseReceipt(type, data) : undefined;
        if (receipt?.type === 'turn.recorded')
          turns.push({ turn: receipt.data.turn, lane: receipt.data.lane, seq, at });
      }
      return ok({ turns });
    },
    getTurn: ({ params: { run, turn }, query: { reveal } }) => readTurn(run, turn, reveal),
    getPackedTurn: async ({ params: { run, turn }, query: { reveal, part } }) => {
      const read = await readTurn(run, turn, reveal);
      if (!read.ok) return read;
      const whole = read.value as TurnView;
      return ok(packTurn(part === 'head' ? headOfTurn(whole) : whole));
    },
    countTurn: async ({ params: { run, turn } }) => {
      const found = await requireTurn(run, turn);
      if (!found.ok) return found;
      const table = pricesOf(config);
      const price = priceOf(found.value.to.model ?? '', table);
      const { input = 0, output = 0, cachedInput = input } = price ?? {};
      return ok({
        ...(await turnTokens(found.value)),
        price: price === undefined ? null : { date: table.date, input, cachedInput, output },
      });
    },
    getWire: async ({ params: { run, turn }, query: { reveal } }) => {
      const found = await requireTurn(run, turn);
      if (!found.ok) return found;
      const { to, lane, request, delta } = found.value;
      const body = await turnBody({
        provider: to.provider,
        config,
        model: to.model,
        conversation: { run, lane },
        request: asGated(request),
        ...(delta && { delta: asGated(delta) }),
      });
      if (!body.ok) return fail({ status: 409, code: body.error.code, message: body.error.message });
      return ok(wireView(found.value, body.value, reveal === 'true'));
    },
    proveTurn: async ({ params: { run, turn } }) => {
      const read = await requireAny(parts, run);
      if (!read.ok) return read;
      const {
        events,
        turns,
        head = null,
        problems,
      } = await verifyRun(store, run as RunId, {
        publicKeys: await knownKeys(store, publicKeys),
      });
      // A broken chain, or a damaged store, puts every turn of the run in doubt.
      const about = problems.filter((problem) => problem.turn === undefined || problem.turn === turn);
      const told = about.map(({ code, message }) => ({ code, message }));
      return ok({ ok: told.length === 0, events, turns, head, problems: told });
    },
    blameTurn: async ({ params: { run, turn }, query: { ref, line, words } }) => {
      const found = await requireTurn(run, turn);
      if (!found.ok) return found;
      const { at, request } = found.value;
      if (!hasWordsFrom(request.prompt, ref, words)) return ok(IN_NO_COMMIT);
      const read = await files.readText(ref);
      const now = read.ok ? read.value : undefined;
      const stood = wordsFrom(request.prompt, ref);
      const kept = (await openKeptFiles(store, run as RunId, turn))(ref);
      const then = await lineThen({ git, ref, line, words: stood, decoded: words, at, now, kept });
      if (then === undefined || (then.commit === undefined && then.now !== undefined))
        return ok(IN_NO_COMMIT);
      const { place: _, ...told } = await blame(git, { ref, line }, then.commit);
      if ('note' in told) return ok(told);
      return ok({ ...told, now: then.now === undefined ? 'same' : then.now === null ? 'gone' : 'changed' });
    },
  });
}

const IN_NO_COMMIT = { note: 'as it was told it is in no commit' } as const;

/** What the record holds has passed the gates; it is looked at and not sent. */
const asGated = (request: RebuiltTurn['request']): GatedRequest => request as unknown as GatedRequest;

const sentenceOf = (error: ReceiptError): string =>
  'turn' in error ? describeTurnError(error) : 'The records cannot be read.';
