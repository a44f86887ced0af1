import { randomUUID } from 'node:crypto';
import type { ChildExit } from '@cuebook/process';
import { asFields, asNumber, type Fields } from '../agent/fields.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { ClaudeAgent } from './agent.js';
import { answerRequests } from './answer-requests.js';
import { createNews } from './news.js';
import type { ClaudeRights } from './permission.js';
import { type ClaudeEnding, endOfExit, endOfResult, sessionTrouble } from './stream/ending.js';
import type { ClaudeToolNames } from './stream/tool-names.js';
import { createTurnReader } from './stream/turn-reader.js';
import { costOf } from './stream/usage.js';
import { jsonLine, userLine } from './user-line.js';

export interface AgentTurn {
  readonly agent: ClaudeAgent;
  readonly turn: LiveTurn;
  readonly names: ClaudeToolNames;
  readonly rights: Pick<ClaudeRights, 'access' | 'ask'>;
  /** What a fresh process is told before its first turn; undefined when it was told. */
  readonly greeting: Fields | undefined;
  /** The session's cost so far; undefined: the process is asked. */
  readonly cost: number | undefined;
}

export interface ClaudeOutcome {
  readonly ending: ClaudeEnding;
  /** The session's cost by now, where it is known. */
  readonly cost: number | undefined;
  /** Whether Claude Code took the message up: then it keeps the session. */
  readonly isTaken: boolean;
  /** Whether the process can take another turn. */
  readonly isUsable: boolean;
  /** The session could not be opened in this way, and nothing was said. */
  readonly trouble?: 'in-use' | 'unknown';
}

/** How long an interrupted turn may take to come to its end before the process is ended. */
const INTERRUPT_MS = 2500;

/** What has been heard of a turn so far. */
interface Heard {
  isSent: boolean;
  isTaken: boolean;
  result?: Fields;
  /** A result of nothing that we said: how Claude Code reports that it cannot begin. */
  stray?: Fields;
  exit?: ChildExit;
  broken?: { readonly error: unknown };
  cost: number | undefined;
}

/** One turn on a process that runs. Rejects only with what the choke point or the caller's record threw. */
export async function takeTurn(options: AgentTurn): Promise<ClaudeOutcome> {
  const { agent, turn, names } = options;
  const uuid = randomUUID();
  const reader = createTurnReader(names, turn.clean);
  const news = createNews();
  const heard: Heard = { isSent: false, isTaken: false, cost: options.cost };
  const isOver = () => heard.result !== undefined || heard.exit !== undefined;

  const stopListening = agent.listen({
    ...answerRequests(options),
    line(fields) {
      if (fields.type === 'result' && heard.isTaken) {
        heard.result = fields;
        // At once: what is asked from here on is asked by nobody's turn.
        stopListening();
      }
      if (heard.result) return news.tell();
      if (fields.type === 'result') heard.stray = fields;
      else if (heard.isSent && isBeginning(fields, uuid)) heard.isTaken = true;
      // Before our message is taken up, lines are about the process or about what it did by itself.
      else if (heard.isTaken) for (const event of reader.read(fields)) turn.emit(event);
      news.tell();
    },
    ended(exit) {
      heard.exit = exit;
      news.tell();
    },
  });
  turn.signal.addEventListener('abort', news.tell);
  speak(options, heard, uuid).catch((error: unknown) => {
    heard.broken = { error };
    news.tell();
  });

  try {
    await news.until(() => isOver() || turn.signal.aborted || heard.broken !== undefined);
    if (!isOver() && heard.isSent && (await agent.send(interruptLine())))
      await news.until(isOver, INTERRUPT_MS);
    if (heard.broken && !turn.signal.aborted) throw heard.broken.error;
    for (const event of reader.close()) turn.emit(event);
    if (heard.isTaken) {
      const usage = reader.usage(heard.result);
      turn.emit({ type: 'usage', usage: { ...usage, ...costOf(heard.result?.total_cost_usd, heard.cost) } });
    }
    return outcomeOf(heard, options, reader.failure());
  } finally {
    turn.signal.removeEventListener('abort', news.tell);
    stopListening();
  }
}

/** A turn begins with a description of the session, and our message comes back in it. */
const isBeginning = ({ type, subtype, uuid }: Fields, ours: string): boolean =>
  (type === 'system' && subtype === 'init') || (type === 'user' && uuid === ours);

/** Greets a fresh process, then says the turn's words. Each line passes the choke point before it is written. */
async function speak(options: AgentTurn, heard: Heard, uuid: string): Promise<void> {
  const { agent, turn, greeting } = options;
  const ask = (request: Fields) =>
    agent.ask(async (id) => {
      const line = jsonLine({ type: 'control_request', request_id: id, request });
      await turn.pass('stdin', line);
      await agent.send(line);
    });
  if (greeting) {
    await ask(greeting);
    // A session of an earlier process has cost something already; without an answer this turn's cost is unknown.
    const session =
      heard.cost === undefined ? asFields((await ask({ subtype: 'get_usage' }))?.session) : undefined;
    heard.cost ??= asNumber(session?.total_cost_usd);
  }
  if (agent.isGone()) return;
  const line = userLine(turn.input.delta ?? turn.input.request, uuid);
  await turn.pass('stdin', line);
  heard.isSent = true;
  await agent.send(line);
}

function outcomeOf(heard: Heard, { agent, greeting }: AgentTurn, failure: string | undefined): ClaudeOutcome {
  const { result, exit, isTaken, stray } = heard;
  const cost = asNumber(result?.total_cost_usd) ?? (isTaken ? undefined : heard.cost);
  if (result) return { ending: endOfResult(result, failure), cost, isTaken, isUsable: true };
  // A process that was greeted, and told nothing since, is as it was.
  const isUntold = !heard.isSent && greeting === undefined;
  if (!exit) return { ending: { reason: 'aborted' }, cost, isTaken, isUsable: isUntold };
  const tail = agent.stderrTail();
  const trouble = isTaken ? undefined : sessionTrouble(tail);
  const ending =
    stray && !trouble && exit.failure === undefined ? endOfResult(stray, failure) : endOfExit(exit, tail);
  return { ending, cost, isTaken, isUsable: false, ...(trouble ? { trouble } : {}) };
}

/** The one line that does not pass the choke point: it stops a turn that is over, and holds nothing but an id. */
const interruptLine = (): string =>
  jsonLine({ type: 'control_request', request_id: randomUUID(), request: { subtype: 'interrupt' } });
