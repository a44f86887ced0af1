import type { AnyMessage } from '@agentclientprotocol/sdk';
import { guard } from '@cuebook/guard';
import { type Fields, fieldsOf } from '../agent/fields.js';
import { type LateStart, withLateStart } from '../agent/late-start.js';
import { oneText, wordsOf } from '../agent/words.js';
import type { LiveTurn } from '../stream/live-turn.js';
import { runTurn } from '../stream/run-turn.js';
import { failedEnd, TurnStop } from '../stream/turn-error.js';
import type { Session, SessionOptions, TurnEnd, TurnInput, Usage } from '../turn.js';
import { createApprovals } from './approvals.js';
import { createEchoes } from './echo.js';
import { enterSession } from './enter.js';
import { endOfChild, requestError, saidError } from './failure.js';
import { type AcpLink, openLink } from './link.js';
import { createOffer } from './offer.js';
import type { AcpOptions } from './options.js';
import { createQuiet } from './quiet.js';
import { tellRemarks } from './remarks.js';
import { readUpdates, type Updates } from './updates.js';
import { usageOf, usageSince } from './usage.js';

/** How long an agent may take to stop when it is asked; then it is ended. */
const CANCEL_MS = 3000;

/** An agent as it is started. */
export interface StartedAgent extends AcpOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Goes beside the parameters of a session. */
  readonly meta?: Fields;
}

/**
 * One conversation with an agent: one process for many turns. When the process is lost, the next turn starts
 * another and has it go on with the same session.
 */
export function openAcpSession(agent: StartedAgent, options: SessionOptions): Session {
  const offer = createOffer();
  let link: AcpLink | undefined;
  let sessionId = options.resume;
  /** Whether `sessionId` is entered in the process that runs now. */
  let isEntered = false;
  let total: Usage | undefined;
  let now: { readonly turn: LiveTurn; readonly updates: Updates; isPrompting: boolean } | undefined;
  const quiet = createQuiet();
  const approvals = createApprovals(options);
  const isAsking = options.ask === true && options.access !== 'plan';

  /** Nothing is written outside a turn but the word to stop, which has no words of ours. */
  const gate = async (line: string, message: AnyMessage): Promise<void> => {
    if ('method' in message && message.method === 'session/cancel') return;
    if (now === undefined) throw new Error('no turn');
    await now.turn.pass('stdin', line);
  };
  const open = (signal: AbortSignal): Promise<AcpLink> =>
    openLink(
      {
        command: agent.command,
        args: [...(agent.args ?? []), ...modelArgs(agent, options)],
        cwd: options.cwd ?? process.cwd(),
        env: agent.env,
        version: VERSION,
        signal,
      },
      {
        gate,
        onRequest: (method) => {
          const text = `The agent asked for ${method}, which it is not given.`;
          now?.turn.emit({ type: 'log', level: 'warning', text });
        },
        onLine: (line) => now?.turn.received(Buffer.byteLength(line)),
        onUpdate: ({ sessionId: id, update }) => {
          quiet.touch();
          if (now?.isPrompting) now.updates.take(update, id !== sessionId);
        },
        onPermission: async (params) =>
          now === undefined ? { outcome: 'cancelled' } : approvals.ask(now.turn, now.updates, params),
      },
    );

  const speak = async (turn: LiveTurn, known: (start: LateStart) => void): Promise<Omit<TurnEnd, 'type'>> => {
    const echoes = createEchoes(turn.input.request.tools);
    let stopUnasked = (_tool: string): void => {};
    const violation = new Promise<never>((_, reject) => {
      stopUnasked = (tool) => {
        if (!guard('acp.unasked', isAsking)) return;
        // At once: whoever does not ask once does not ask again.
        void link?.child.kill();
        reject(new TurnStop(failedEnd('E_PROVIDER_UNASKED', unaskedText(tool))));
      };
    });
    violation.catch(() => {});
    const updates = readUpdates(turn, echoes, (tool) => stopUnasked(tool));
    now = { turn, updates, isPrompting: false };
    const done = offer.tools.serve(turn, echoes.heard);
    const stopped = stopOnAbort(
      turn,
      () => link,
      () => sessionId,
    );
    /** Also when the session is closed meanwhile. */
    let used: AcpLink | undefined;
    try {
      if (link === undefined || !link.isOpen()) {
        await link?.close();
        isEntered = false;
        link = await open(turn.signal);
      }
      used = link;
      const isNew = sessionId === undefined;
      if (!isEntered) {
        sessionId = await enterSession({ link, agent, options, sessionId, turn, offer, quiet });
        isEntered = true;
      }
      known({ sessionId: sessionId as string });
      now.isPrompting = true;
      const { request } = link;
      const say = async (prompt: readonly Fields[]): Promise<Fields> => {
        updates.begin();
        const response = await Promise.race([request('session/prompt', { sessionId, prompt }), violation]);
        const counted = usageOf(response);
        const usage = agent.usage === 'session' && counted ? usageSince(counted, total) : counted;
        total = counted ?? total;
        if (usage !== undefined) turn.emit({ type: 'usage', usage });
        return response;
      };
      const first = await say(promptOf(turn.input, isNew, link.capabilities));
      const last = await tellRemarks(turn, approvals, { first, say });
      return endOf(updates, last, approvals.wasDenied());
    } catch (thrown) {
      if (thrown instanceof TurnStop) throw thrown;
      return { reason: 'error', error: await failureOf(thrown, used) };
    } finally {
      updates.finish();
      approvals.reset();
      done();
      await stopped();
      now = undefined;
    }
  };

  return {
    turn(input) {
      let known: (start: LateStart) => void = () => {};
      const start = new Promise<LateStart>((resolve) => {
        known = resolve;
      });
      const model = options.model === undefined ? {} : { model: options.model };
      // A turn that is over before it began never comes to `speak`.
      if (input.signal?.aborted) known({});
      const events = runTurn({
        provider: agent.name,
        session: model,
        input,
        redactor: options.redactor,
        speak: (turn) => {
          turn.signal.addEventListener('abort', () => known({}), { once: true });
          return speak(turn, known).finally(() => known({}));
        },
      });
      return withLateStart(events, start);
    },
    async close() {
      await Promise.all([link?.close(), offer.close()]);
      link = undefined;
    },
  };
}

const VERSION = '0.1.0';

const unaskedText = (tool: string): string =>
  `The agent did what nobody had allowed, and was ended: ${tool}. Look at what it has changed.`;

const modelArgs = ({ modelFlag }: AcpOptions, { model }: SessionOptions): readonly string[] =>
  modelFlag === undefined || model === undefined ? [] : [modelFlag, model];

/** The words; the pictures too where the agent takes them. A session that goes on is told only what is new. */
function promptOf(input: TurnInput, isNew: boolean, capabilities: Fields): readonly Fields[] {
  const request = isNew ? input.request : (input.delta ?? input.request);
  const words = { type: 'text', text: plainText(oneText(wordsOf(request))) };
  if (fieldsOf(capabilities.promptCapabilities).image !== true) return [words];
  const images = request.prompt.blocks
    .flatMap(({ media = [] }) => media)
    .filter(({ type }) => type.startsWith('image/'))
    .map(({ type, data }) => ({ type: 'image', mimeType: type, data }));
  return [words, ...images];
}

/** A prompt that begins so is a command of the agent, however much white space stands before it. */
const plainText = (text: string): string =>
  guard('acp.command', /^\s*[/$]/.test(text)) ? `Message:\n${text}` : text;

const STOPS: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['max_tokens', 'length'],
  ['max_turn_requests', 'turn-limit'],
  ['refusal', 'content-filter'],
]);

function endOf(updates: Updates, response: Fields, denied: boolean): Omit<TurnEnd, 'type'> {
  const { stopReason } = response;
  // Some agents end the whole turn when one call is refused; otherwise nobody but us cancels.
  if (stopReason === 'cancelled') return denied ? { reason: 'done', stop: 'denied' } : { reason: 'aborted' };
  const said = updates.calls() === 0 ? saidError(updates.said()) : undefined;
  if (said !== undefined) return { reason: 'error', error: said };
  return { reason: 'done', stop: STOPS.get(String(stopReason)) ?? 'stop' };
}

async function failureOf(thrown: unknown, link: AcpLink | undefined) {
  if (link?.isOpen()) return requestError(thrown);
  return link === undefined
    ? requestError(thrown)
    : endOfChild(await link.child.exited, link.child.stderrTail());
}

/** Asks the agent to stop when the turn is over, and ends it when it does not. Answers how to take that back. */
function stopOnAbort(turn: LiveTurn, link: () => AcpLink | undefined, sessionId: () => string | undefined) {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    const id = sessionId();
    const open = link();
    if (open === undefined) return;
    if (id !== undefined) open.cancel(id).catch(() => open.child.kill());
    timer = setTimeout(() => void open.child.kill(), id === undefined ? 0 : CANCEL_MS);
  };
  turn.signal.addEventListener('abort', stop, { once: true });
  return async (): Promise<void> => {
    turn.signal.removeEventListener('abort', stop);
    clearTimeout(timer);
  };
}
