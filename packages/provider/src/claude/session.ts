import { randomUUID } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { startChild } from '@cuebook/process';
import type { Fields } from '../agent/fields.js';
import { MCP_SERVER_NAME } from '../mcp/turn-tools.js';
import type { LiveTurn } from '../stream/live-turn.js';
import { runTurn } from '../stream/run-turn.js';
import { failedEnd, TurnStop } from '../stream/turn-error.js';
import type { Session, SessionOptions } from '../turn.js';
import { type ClaudeAgent, followAgent } from './agent.js';
import { claudeArgs, claudeEnvironment } from './launch.js';
import type { ClaudeEnding } from './stream/ending.js';
import { nameTools } from './stream/tool-names.js';
import { type ClaudeOutcome, takeTurn } from './turn.js';
import { systemText } from './user-line.js';

export interface ClaudeProgram {
  readonly command: string;
  readonly parent: Readonly<Record<string, string | undefined>>;
  readonly set: Readonly<Record<string, string>>;
}

/** How long a process may take to end by itself once its input has ended. */
const CLOSE_MS = 1500;

/**
 * A conversation with Claude Code: one process for as many turns as it lives, and the next one resumes the
 * session. A turn with other system words or other tools gets a new process, because both are fixed at its start.
 */
export function openClaudeSession(program: ClaudeProgram, options: SessionOptions): Session {
  const { model, resume, redactor, cwd = process.cwd(), access, ask = false } = options;
  const rights = { access, ask };
  const sessionId = resume ?? randomUUID();
  // The id stands on a command line, where another word could be taken for a flag.
  const isBadId = guard('claude.session-id', resume !== undefined && !UUID.test(resume));
  let agent: ClaudeAgent | undefined;
  let isKept = resume !== undefined;
  let cost: number | undefined = resume === undefined ? 0 : undefined;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  const launch = async (
    turn: LiveTurn,
    key: string,
    hasTools: boolean,
    isResumed: boolean,
  ): Promise<ClaudeAgent> => {
    const args = claudeArgs({ sessionId, isResumed, model, access, ask, hasTools });
    await turn.pass('argv', args.join('\0'));
    const env = claudeEnvironment({ ...program, retries: turn.limits.retries, hasTools });
    if (isClosed) throw new TurnStop(CLOSED);
    const { command } = program;
    return followAgent(
      (onOutput) => startChild({ command, args, cwd, env, onOutput, needsOutput: true, needsInput: true }),
      key,
    );
  };
  const attempt = async (turn: LiveTurn, isResumed: boolean): Promise<ClaudeOutcome> => {
    const { request } = turn.input;
    const names = nameTools(request.tools);
    const system = systemText(request);
    const key = JSON.stringify([system, names.listed]);
    if (agent && (agent.isGone() || agent.key !== key)) await release();
    const greeting = agent ? undefined : greetingOf(system, names.listed.length > 0);
    agent ??= await launch(turn, key, names.listed.length > 0, isResumed);
    const outcome = await takeTurn({ agent, turn, names, rights, greeting, cost }).catch(async (error) => {
      await release(0);
      throw error;
    });
    isKept ||= outcome.isTaken;
    cost = outcome.cost;
    if (!outcome.isUsable) await release(0);
    return outcome;
  };
  const release = async (patienceMs = CLOSE_MS) => {
    const gone = agent;
    agent = undefined;
    await gone?.stop(patienceMs);
  };
  const speak = async (turn: LiveTurn): Promise<ClaudeEnding> => {
    turn.started({ sessionId, ...(model === undefined ? {} : { model }) });
    if (turn.signal.aborted) return { reason: 'aborted' };
    if (isClosed) return CLOSED;
    if (isBadId)
      return failedEnd('E_PROVIDER_SESSION', 'The id of a Claude Code session is a UUID; this is none.');
    const first = await attempt(turn, isKept);
    if (first.trouble === undefined) return first.ending;
    if (first.trouble === 'in-use') return (await attempt(turn, true)).ending;
    if (turn.input.delta !== undefined) return failedEnd('E_PROVIDER_SESSION', UNKNOWN);
    turn.emit({ type: 'log', level: 'warning', text: `${UNKNOWN} It begins anew with the full prompt.` });
    cost = 0;
    return (await attempt(turn, false)).ending;
  };

  return {
    turn: (input) =>
      runTurn({
        provider: 'claude',
        session: { sessionId, ...(model === undefined ? {} : { model }) },
        input,
        redactor,
        // One at a time: the next waits until the process is free again.
        speak: (turn) => {
          const spoken = last.then(() => speak(turn));
          last = spoken.catch(() => undefined);
          return spoken;
        },
      }),
    async close() {
      isClosed = true;
      await release();
    },
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CLOSED = failedEnd('E_PROVIDER_FAILED', 'The session is closed.');
const UNKNOWN = 'Claude Code does not know the session any more.';

/**
 * The system's words go over the pipe, not on the command line, and are added to those of Claude Code. Without
 * `systemPromptSnapshot: false` a resumed session would repeat the ones that it was begun with.
 */
function greetingOf(system: string, hasTools: boolean): Fields {
  return {
    subtype: 'initialize',
    hooks: {},
    systemPromptSnapshot: false,
    ...(system === '' ? {} : { appendSystemPrompt: system }),
    ...(hasTools ? { sdkMcpServers: [MCP_SERVER_NAME] } : {}),
  };
}
