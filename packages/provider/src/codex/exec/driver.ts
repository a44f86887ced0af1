import { guard } from '@cuebook/guard';
import { parseLine } from '../../agent/fields.js';
import type { LateStart } from '../../agent/late-start.js';
import { oneText, wordsOf } from '../../agent/words.js';
import { joinLoopbackMcp, type SharedLoopback } from '../../mcp/join-loopback.js';
import { createTurnTools, MCP_SERVER_NAME } from '../../mcp/turn-tools.js';
import type { LiveTurn } from '../../stream/live-turn.js';
import { failedEnd } from '../../stream/turn-error.js';
import type { SessionOptions } from '../../turn.js';
import type { CodexDriver, CodexEnding, ThreadMemory } from '../driver.js';
import { endOfChild, MAX_NOISE, sayTo, startCodex } from '../program.js';
import { type CodexTokenCount, NO_TOKENS, usageBetween } from '../report/usage.js';
import { CLIENT, type CodexOptions, type ConfigValue, configArguments, rightsOf } from '../settings.js';
import { createExecReader } from './exec-reader.js';

/**
 * `codex exec --json`: one process a turn, the prompt on its standard input. System-role blocks stand first in
 * the same text. Nobody is asked: what the sandbox does not allow is denied. Our tools come over MCP.
 */
export function createExec(
  options: CodexOptions,
  session: SessionOptions,
  memory: ThreadMemory,
): CodexDriver {
  let loopback: Promise<SharedLoopback> | undefined;
  let running: ReturnType<typeof startCodex> | undefined;
  /** Codex counts over the thread. Of a thread that another process began, the beginning is not known. */
  let spent: CodexTokenCount | undefined = memory.id === undefined ? NO_TOKENS : undefined;

  /** Opens a door to the turn's tools for as long as it runs. */
  const admit = async (turn: LiveTurn): Promise<Door> => {
    if (turn.input.request.tools.length === 0) return NO_DOOR;
    loopback ??= joinLoopbackMcp();
    const { server } = await loopback;
    const tools = createTurnTools(CLIENT.version);
    const leave = tools.serve(turn);
    const { token, release } = server.admit({ handler: tools.handler, pass: tools.pass });
    return {
      config: serverConfig(server.url),
      set: { [TOKEN_NAME]: token },
      shut() {
        release();
        leave();
      },
    };
  };

  const run = async (
    turn: LiveTurn,
    door: Door,
    announce: (details: LateStart) => void,
  ): Promise<CodexEnding> => {
    const { request, delta } = turn.input;
    const words = wordsOf(memory.id === undefined ? request : (delta ?? request));
    const args = execArguments(
      { ...options, config: { ...options.config, ...door.config } },
      session,
      memory.id,
    );
    const child = startCodex(options, session.cwd ?? process.cwd(), args, door.set);
    running = child;
    const stop = () => void child.kill();
    turn.signal.addEventListener('abort', stop, { once: true });
    const reader = createExecReader({
      ...{ emit: turn.emit, clean: turn.clean, redactor: session.redactor, ours: (name) => name },
      // Told by that server itself, with the answer as it was.
      ...(door === NO_DOOR ? {} : { ownServer: MCP_SERVER_NAME }),
      announce: (details) => {
        memory.id = details.sessionId || memory.id;
        announce({ ...details, ...(session.model && { model: session.model }) });
      },
      counted: (total) => {
        if (spent !== undefined) turn.emit({ type: 'usage', usage: usageBetween(spent, total) });
        else turn.emit({ type: 'log', level: 'info', text: 'What this turn alone has cost is not known.' });
        spent = total;
      },
    });
    let noise = 0;
    try {
      await sayTo(child, turn)(oneText(words));
      child.endInput();
      for await (const line of child.lines) {
        turn.received(Buffer.byteLength(line) + 1);
        const event = parseLine(line);
        const end = event === undefined ? undefined : reader.line(event);
        if (end !== undefined) return end;
        noise += event === undefined ? 1 : 0;
        if (guard('codex.exec-noise', noise > MAX_NOISE))
          return failedEnd('E_PROVIDER_EXIT', 'Codex wrote lines that are no events.');
      }
      return await endOfChild(child);
    } finally {
      turn.signal.removeEventListener('abort', stop);
      reader.close();
      await child.kill();
      running = undefined;
    }
  };

  return {
    async speak(turn, announce) {
      const door = await admit(turn);
      try {
        return await run(turn, door, announce);
      } finally {
        door.shut();
      }
    },
    async close() {
      await running?.kill();
      const joined = loopback;
      loopback = undefined;
      await (await joined)?.leave();
    },
  };
}

interface Door {
  readonly config: Readonly<Record<string, ConfigValue>>;
  readonly set: Readonly<Record<string, string>>;
  shut(): void;
}

const NO_DOOR: Door = { config: {}, set: {}, shut: () => {} };

/** The token is not on the command line, where other users of the machine would see it. */
const TOKEN_NAME = 'CUEBOOK_MCP_TOKEN';

const serverConfig = (url: string): Readonly<Record<string, ConfigValue>> => ({
  [`mcp_servers.${MCP_SERVER_NAME}.url`]: url,
  [`mcp_servers.${MCP_SERVER_NAME}.bearer_token_env_var`]: TOKEN_NAME,
  // Nobody is there to approve a call, and these tools have gates of their own.
  [`mcp_servers.${MCP_SERVER_NAME}.default_tools_approval_mode`]: 'approve',
  [`mcp_servers.${MCP_SERVER_NAME}.tool_timeout_sec`]: 3600,
});

/** Options of `exec` stand before `resume`, which does not take them. `-` reads the prompt from standard input. */
function execArguments(
  { config }: Pick<CodexOptions, 'config'>,
  session: SessionOptions,
  resume: string | undefined,
): readonly string[] {
  const { sandbox } = rightsOf(session);
  const model = session.model === undefined ? [] : ['-m', session.model];
  const more = resume === undefined ? [] : ['resume', resume];
  return [...EXEC, '-s', sandbox, ...model, ...configArguments(config), ...more, '-'];
}

const EXEC = ['exec', '--json', '--skip-git-repo-check'];
