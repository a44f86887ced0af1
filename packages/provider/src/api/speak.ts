import { guard } from '@cuebook/guard';
import type { Redactor } from '@cuebook/prompt';
import { costOf, type PriceTable } from '../price/price.js';
import type { StreamClock } from '../stream/clock.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { Sleep } from '../stream/sleep.js';
import { TurnStop } from '../stream/turn-error.js';
import type { TurnEnd } from '../turn.js';
import type { Endpoint } from './endpoint.js';
import type { AnswerForms } from './request/answer-forms.js';
import { type CacheForecast, sizesOf } from './request/cache-forecast.js';
import { planCache } from './request/cache-plan.js';
import { type ApiCall, prepareCall } from './request/call.js';
import { wireOrder } from './request/messages.js';
import type { ThoughtMemory } from './request/thoughts.js';
import type { Vendor } from './vendor.js';
import { type ApiFailure, readFailure } from './wire/api-error.js';
import { gateFetch } from './wire/gate-fetch.js';
import type { ModelPool } from './wire/model-pool.js';
import { pauseBefore } from './wire/retry.js';
import { type HeardStream, hearStream } from './wire/stream-events.js';

/** What a session speaks with. */
export interface SpeakParts {
  readonly vendor: Vendor;
  readonly endpoint: Endpoint;
  readonly model?: string;
  readonly headers: Record<string, string>;
  readonly models: ModelPool;
  readonly fetch: typeof globalThis.fetch;
  readonly redactor: Redactor;
  readonly thoughts: ThoughtMemory;
  readonly forms: AnswerForms;
  readonly forecast: CacheForecast;
  readonly countTokens: (text: string) => number;
  readonly prices: PriceTable;
  readonly clock: StreamClock;
  readonly sleep: Sleep;
  readonly random: () => number;
}

type Ending = Omit<TurnEnd, 'type'>;

/** One turn: the request, its retries while nothing has been said, and what came of it. */
export async function speakOnce(turn: LiveTurn, voice: SpeakParts): Promise<Ending> {
  const { vendor, thoughts, model, redactor } = voice;
  const { conversation } = turn.input;
  const call = prepareCall(turn.input.request, {
    vendor,
    thoughts,
    ...(model !== undefined && { model }),
    ...(conversation !== undefined && { conversation: `${conversation.run} ${conversation.lane}` }),
  });
  if (!call.ok) return { reason: 'error', error: call.error };
  turn.started({ model: call.value.model });
  await recall(turn, call.value, voice);
  for (const text of call.value.notes) turn.emit({ type: 'log', level: 'warning', text });
  for (let attempt = 1; ; attempt += 1) {
    const heard = await attemptCall(turn, call.value, voice);
    if (heard.usage !== undefined) report(turn, call.value, heard.usage, voice);
    if (heard.end.reason === 'done') {
      thoughts.keep(heard.calls, heard.kept, redactor);
      return heard.end;
    }
    const looser = guard('api.schema', !heard.spoke) ? voice.forms.refused(call.value, heard.end) : undefined;
    if (looser !== undefined) {
      turn.emit({ type: 'log', level: 'warning', text: looser });
      attempt -= 1;
      continue;
    }
    const pause = guard('api.spoke', heard.spoke) ? undefined : pauseOf(heard, attempt, turn, voice);
    if (pause === undefined) return withoutKey(heard.end, voice.endpoint.key);
    const text = `${heard.end.error?.message ?? 'It failed.'} Trying again (${attempt} of ${turn.limits.retries}).`;
    turn.emit({ type: 'log', level: 'warning', text: hideKey(text, voice.endpoint.key) });
    await voice.sleep(pause, turn.signal);
    if (turn.signal.aborted) return { reason: 'aborted' };
  }
}

/** What another process told the conversation counts too. */
async function recall(
  { input }: LiveTurn,
  { plan, model }: ApiCall,
  { forecast, vendor }: SpeakParts,
): Promise<void> {
  const { conversation, told } = input;
  if (conversation === undefined || told === undefined || forecast.knows(plan.key)) return;
  const last = await told();
  if (last === undefined) return;
  const blocks = wireOrder(last.prompt.blocks, vendor);
  const name = `${conversation.run} ${conversation.lane}`;
  forecast.remember(planCache(blocks, last.tools, last.model ?? model, name), last.at);
}

interface Attempt extends HeardStream {
  readonly retryAfterMs?: number;
}

async function attemptCall(turn: LiveTurn, call: ApiCall, voice: SpeakParts): Promise<Attempt> {
  const { vendor, endpoint, headers } = voice;
  const fetch = gateFetch(turn, endpoint.key, { fetch: voice.fetch, eventKinds: vendor.eventKinds });
  try {
    return await voice.models.use({ ...endpoint, headers, fetch, model: call.model }, async (model) => {
      const options = voice.forms.fit(call);
      const { stream } = await model.doStream({ ...options, abortSignal: turn.signal });
      return hearStream(stream, { turn, names: call.names, args: call.args, vendor: vendor.name });
    });
  } catch (thrown) {
    if (thrown instanceof TurnStop) throw thrown;
    const { error, retryAfterMs } = readFailure(thrown, vendor.name);
    const silent = { spoke: false, calls: [], kept: { thoughts: [], calls: [] } };
    return {
      ...silent,
      end: { reason: 'error', error },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
}

function pauseOf({ end, retryAfterMs }: Attempt, attempt: number, turn: LiveTurn, voice: SpeakParts) {
  if (end.error === undefined || turn.signal.aborted) return undefined;
  const failure: ApiFailure = { error: end.error, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return pauseBefore(attempt, failure, { limits: turn.limits, random: voice.random });
}

function report(
  turn: LiveTurn,
  call: ApiCall,
  usage: NonNullable<HeardStream['usage']>,
  voice: SpeakParts,
): void {
  const { forecast, countTokens, prices } = voice;
  const sizes = sizesOf(call.blocks, turn.input.request.tools, countTokens);
  const predictedCachedTokens = forecast.predict(call.plan, sizes);
  forecast.remember(call.plan);
  const costUsd = costOf(usage, call.model, prices);
  turn.emit({
    type: 'usage',
    usage: { ...usage, predictedCachedTokens, ...(costUsd !== undefined && { costUsd }) },
  });
}

/** A vendor may repeat the key that it did not like. */
const hideKey = (text: string, key: string): string =>
  key.length < 4 ? text : text.replaceAll(key, '[removed:credential]');

const withoutKey = (end: Ending, key: string): Ending =>
  end.error === undefined
    ? end
    : { ...end, error: { ...end.error, message: hideKey(end.error.message, key) } };
