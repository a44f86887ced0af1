import { guard, guarded } from '@cuebook/guard';
import type { Redactor } from '@cuebook/prompt';
import type { Fields } from '../../agent/fields.js';
import type { LiveTurn } from '../../stream/live-turn.js';
import { endOfThrown, failedEnd } from '../../stream/turn-error.js';
import type { CodexEnding } from '../driver.js';
import { endOfChild, MAX_NOISE, sayTo } from '../program.js';
import type { NamedTools } from '../tool-names.js';
import type { AppServerConnection } from './connection.js';
import type { RpcId } from './peer.js';
import { replyTo } from './requests.js';
import { createTurnReader } from './turn-reader.js';

export interface CodexConversation {
  readonly link: AppServerConnection;
  readonly turn: LiveTurn;
  readonly threadId: string;
  readonly tools: NamedTools;
  readonly redactor: Redactor;
  readonly cwd: string;
  /** Of `turn/start`. */
  readonly params: Fields;
  /** Codex has taken the turn. */
  readonly onSent: () => void;
  /** Ends the process: it does not stop when asked to. */
  readonly drop: () => Promise<void>;
}

/** How long an interrupted turn may take to say that it has stopped. */
const INTERRUPT_MS = 1500;

/** One turn on an open thread, from the first word to the end. */
export async function converse(options: CodexConversation): Promise<CodexEnding> {
  const { link, turn, threadId, redactor, tools, params, drop, cwd } = options;
  const { child, peer } = link;
  const { ours } = tools;
  const say = sayTo(child, turn);
  const reader = createTurnReader({ emit: turn.emit, clean: turn.clean, redactor, ours, threadId });
  let finish = (_end: CodexEnding) => {};
  const ended = new Promise<CodexEnding>((resolve) => {
    finish = resolve;
  });
  let noise = 0;
  let stopTimer: NodeJS.Timeout | undefined;

  /** A send that may not go ends the turn; the choke point has already said how. */
  const orEnd = (work: Promise<unknown>): void => void work.catch((thrown) => finish(endOfThrown(thrown)));

  const steer = async (text: string): Promise<void> => {
    const input = [{ type: 'text', text, text_elements: [] }];
    await peer.call(say, 'turn/steer', { threadId, expectedTurnId: reader.turnId ?? '', input });
  };

  const answer = async (id: RpcId, method: string, asked: Fields): Promise<void> => {
    const { result, remark } = await replyTo(method, asked, {
      ...{ turn, redactor, ours, cwd },
      tools: reader.tools,
    });
    if (result === undefined) return peer.refuse(say, id, 'not known here');
    // Before the answer: the agent goes on with it at once, and a later word would cost another request.
    if (remark !== undefined) await steer(remark);
    await peer.answer(say, id, result);
  };

  /** Asks the turn to stop. Past the choke point, which is shut by now: it holds nothing but Codex's own names. */
  const interrupt = (): void => {
    const { turnId } = reader;
    if (turnId === undefined || !/^[\w-]{1,128}$/.test(turnId)) return void drop();
    stopTimer = setTimeout(() => guarded('codex.stuck', () => void drop()), INTERRUPT_MS);
    void peer.call(async (line) => (await child.write(line)).ok, 'turn/interrupt', { threadId, turnId });
  };

  link.listen({
    received: turn.received,
    notice: (method, said) => {
      const end = reader.notice(method, said);
      if (end !== undefined) finish(end);
    },
    request: (id, method, asked) => orEnd(answer(id, method, asked)),
    closed: () => void endOfChild(child).then(finish),
    noise: () => {
      noise += 1;
      if (!guard('codex.noise', noise > MAX_NOISE)) return;
      finish(failedEnd('E_PROVIDER_EXIT', 'Codex wrote lines that are no messages.'));
      void drop();
    },
  });
  turn.signal.addEventListener('abort', interrupt, { once: true });
  try {
    const begun = await Promise.race([peer.call(say, 'turn/start', params), ended.then(() => undefined)]);
    if (begun?.ok === true) options.onSent();
    if (begun?.ok === false && begun.error.kind === 'refused') {
      return failedEnd('E_PROVIDER_FAILED', begun.error.message);
    }
    if (begun?.ok === false) void endOfChild(child).then(finish);
    return await ended;
  } finally {
    clearTimeout(stopTimer);
    turn.signal.removeEventListener('abort', interrupt);
    reader.close();
    link.listen(undefined);
  }
}
