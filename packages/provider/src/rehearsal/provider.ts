import type { GatedRequest, JsonValue } from '@cuebook/prompt';
import { statusError } from '../stream/http-status.js';
import type { LiveTurn } from '../stream/live-turn.js';
import { runTurn } from '../stream/run-turn.js';
import { type Sleep, sleep } from '../stream/sleep.js';
import type { Provider, ProviderCapabilities, SessionOptions, TurnEnd, Usage } from '../turn.js';
import { BUILT_IN_STEP } from './built-in.js';
import { makeEdits } from './edits.js';
import { describeLaneError, type Lanes, openLanes } from './lanes.js';
import {
  AGENT_BEGINS,
  type AgentProgress,
  furtherOf,
  playAgent,
  printPlace,
  readPlace,
} from './odds/agent.js';
import { playModel, type TakeKey } from './odds/play.js';
import { requestJson } from './request-bytes.js';
import type { LaneStep, Script, ScriptedCall, ScriptStep } from './script.js';
import { printSession, readSession } from './session-id.js';

export interface RehearsalOptions {
  /** Without one a built-in text says that this is a rehearsal, turn after turn. */
  readonly script?: Script;
  /** For tests: waits without time passing. */
  readonly sleep?: Sleep;
}

/** A rehearsal stands in for a model and for an agent: edits are what an agent does with its own tools. */
export const REHEARSAL_CAPABILITIES: ProviderCapabilities = {
  streams: true,
  resumes: true,
  interrupts: true,
  approves: true,
  changesInput: true,
  planning: true,
  nativeTools: true,
};

/**
 * The scripted provider: no key, no network, the same events on each run. Every turn of a session plays one
 * step; the request passes the choke point like any other, so receipts, leak checks and budgets are real.
 */
export function createRehearsalProvider({ script, sleep: wait = sleep }: RehearsalOptions = {}): Provider {
  const lanes = script === undefined ? undefined : openLanes(script);
  const places = new Map<string, AgentProgress>();
  return {
    name: 'rehearsal',
    kind: 'rehearsal',
    capabilities: REHEARSAL_CAPABILITIES,
    open: (options) => ({
      turn: (input) =>
        runTurn({
          provider: 'rehearsal',
          rehearsal: true,
          session: options.model === undefined ? {} : { model: options.model },
          input,
          redactor: options.redactor,
          speak: (turn) => speak(turn, { options, lanes, places, wait }),
        }),
      close: async () => undefined,
    }),
  };
}

interface Stage {
  readonly options: SessionOptions;
  readonly lanes: Lanes | undefined;
  /** How far the agents by odds are, by lane, and where each turn found them, so that it is taken again from there. */
  readonly places: Map<string, AgentProgress>;
  readonly wait: Sleep;
}

async function speak(
  turn: LiveTurn,
  { options, lanes, places, wait }: Stage,
): Promise<Omit<TurnEnd, 'type'>> {
  const told = turn.input.delta ?? turn.input.request;
  const found = findModel(lanes, places, options, turn.input) ?? findStep(lanes, options, turn.input);
  if ('reason' in found) return found;
  const { sessionId } = found;
  turn.started({ sessionId, ...(options.model === undefined ? {} : { model: options.model }) });
  const step = stepFor(found.step, told);
  const sent = requestJson(told, options.model);
  await turn.pass('http', sent);
  if (step.delayMs !== undefined) await wait(step.delayMs, turn.signal);
  await say(turn, 'reasoning.delta', step.reasoning);
  await say(turn, 'text.delta', step.text);
  const heeds = step.denied !== undefined;
  const { denied } = await makeEdits(turn, step.edits ?? [], options, { sessionId, heeds });
  const end = denied ? step.denied : step.then;
  await say(turn, 'text.delta', end);
  const toolCalls = denied ? [] : (step.toolCalls ?? []);
  callTools(turn, toolCalls, sessionId);
  turn.emit({
    type: 'usage',
    usage: {
      ...usageOf(sent, { ...step, text: `${step.text ?? ''}${end ?? ''}`, toolCalls }),
      ...(found.outputTokens === undefined ? {} : { outputTokens: found.outputTokens }),
    },
  });
  if (step.error !== undefined) {
    const { status, message = `The rehearsed provider answered with status ${status}.` } = step.error;
    return { reason: 'error', error: statusError(status, message) };
  }
  return { reason: 'done', stop: toolCalls.length > 0 ? 'tool-calls' : 'stop' };
}

/** The step itself, or what is played in its place after what the session was just told. */
function stepFor(step: LaneStep, { prompt }: GatedRequest): ScriptStep {
  return step.instead?.find(({ heard }) => prompt.text.includes(heard)) ?? step;
}

interface FoundStep {
  readonly step: LaneStep;
  readonly sessionId: string;
  /** Of a lane with odds. */
  readonly outputTokens?: number;
}

/** The answer of a lane that has odds in place of steps. */
function findModel(
  lanes: Lanes | undefined,
  places: Stage['places'],
  { model, names = [], resume }: SessionOptions,
  input: LiveTurn['input'],
): FoundStep | undefined {
  const { request, conversation } = input;
  const lane = lanes?.find(model === undefined ? names : [...names, model]);
  const odds = lane?.ok ? lanes?.model(lane.value) : undefined;
  if (lane?.ok !== true || odds === undefined) return undefined;
  if ('agent' in odds) {
    const own = places.get(lane.value) ?? AGENT_BEGINS;
    const further = furtherOf(own, readPlace(lane.value, resume) ?? AGENT_BEGINS);
    const key = turnKey(input);
    const before = (key === undefined ? undefined : places.get(lane.value + key)) ?? further;
    if (key !== undefined) places.set(lane.value + key, before);
    const { step, place } = playAgent(odds.agent, request.prompt.text, before);
    places.set(lane.value, furtherOf(further, place));
    return { step, sessionId: printPlace(lane.value, place) };
  }
  const { outputTokens, ...step } = playModel(lane.value, odds, request, takeOf(conversation?.lane));
  return {
    step,
    sessionId: printSession(lane.value, 0),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
}

/** A take of an eval speaks in a lane of its own: `VARIANT/TAKE/CASE`. */
function takeOf(lane: string | undefined): TakeKey | undefined {
  const [, take, key] = /^[^/]+\/(\d+)\/(.+)$/su.exec(lane ?? '') ?? [];
  return key === undefined ? undefined : { case: key, take: Number(take) };
}

/** A turn that is taken again plays what it played before: its words may have been lost on the way to the record. */
const turnKey = ({ turn, conversation }: LiveTurn['input']): string | undefined =>
  turn === undefined ? undefined : `\n${JSON.stringify([conversation?.run, turn])}`;

function findStep(
  lanes: Lanes | undefined,
  { model, names = [], resume }: SessionOptions,
  input: LiveTurn['input'],
): FoundStep | Omit<TurnEnd, 'type'> {
  if (lanes === undefined) return { step: BUILT_IN_STEP, sessionId: 'built-in@0' };
  const lane = lanes.find(model === undefined ? names : [...names, model]);
  if (lane.ok && resume !== undefined) skipResumed(lanes, lane.value, resume);
  const taken = lane.ok ? lanes.take(lane.value, turnKey(input)) : lane;
  if (lane.ok && taken.ok) {
    return { step: taken.value.step, sessionId: printSession(lane.value, taken.value.index) };
  }
  const error = taken.ok ? lane : taken;
  if (error.ok) throw new TypeError('a lane that is there has a step or an error');
  return {
    reason: 'error',
    error: { code: error.error.code, message: describeLaneError(error.error), retryable: false },
  };
}

function skipResumed(lanes: Lanes, lane: string, resume: string): void {
  const session = readSession(resume);
  if (session?.lane === lane) lanes.skipPast(lane, session.index);
}

/** Pieces of a fixed length, never half a character: the same deltas on each run. Others get a word in between. */
async function say(turn: LiveTurn, type: 'text.delta' | 'reasoning.delta', text = ''): Promise<void> {
  const block = type === 'reasoning.delta' ? 0 : 1;
  for (const [piece] of text.matchAll(/[\s\S]{1,24}/gu)) {
    turn.received(Buffer.byteLength(piece));
    turn.emit({ type, block, text: piece });
    await new Promise((resolve) => setImmediate(resolve));
    if (turn.signal.aborted) return;
  }
}

/** Asked for, not run: whoever drives the turn runs them, as with a model API. */
function callTools(turn: LiveTurn, toolCalls: readonly ScriptedCall[], sessionId: string): void {
  for (const [index, { id = `call-${sessionId}-${index}`, name, args }] of toolCalls.entries()) {
    const json = JSON.stringify(args);
    turn.received(Buffer.byteLength(json));
    turn.emit({ type: 'tool.start', id, name, by: 'caller' });
    turn.emit({ type: 'tool.delta', id, json });
    turn.emit({ type: 'tool.end', id, name, by: 'caller', input: args });
  }
}

/** A token is taken for four bytes: no truth, but the same on each run, so that budgets can be rehearsed. */
function usageOf(sent: string, { text = '', reasoning = '', toolCalls = [] }: ScriptStep): Usage {
  const calls = toolCalls.map(({ name, args }) => name + JSON.stringify(args satisfies JsonValue)).join('');
  return {
    inputTokens: tokens(sent),
    outputTokens: tokens(text + calls) + tokens(reasoning),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: tokens(reasoning),
    costUsd: 0,
  };
}

const tokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
