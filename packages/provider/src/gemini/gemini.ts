import { guard } from '@cuebook/guard';
import { createAcpProvider } from '../acp/provider.js';
import { geminiSessions } from '../agent/session-files.js';
import { oneText, wordsOf } from '../agent/words.js';
import { runTurn } from '../stream/run-turn.js';
import type {
  Provider,
  ProviderCapabilities,
  Session,
  SessionOptions,
  TurnEnd,
  TurnEvent,
  TurnInput,
} from '../turn.js';
import { createHeadless, type GeminiMemory, namesFiles } from './headless.js';
import { homeOf, waitOutMinute } from './session-minute.js';
import { acpModes, GEMINI_ENVIRONMENT, GEMINI_SET, type GeminiOptions, trustArguments } from './settings.js';

/** What Gemini CLI can do. Nothing in it takes other arguments than those that the model wrote. */
export const GEMINI_CAPABILITIES: ProviderCapabilities = {
  streams: true,
  resumes: true,
  interrupts: true,
  approves: true,
  changesInput: false,
  planning: true,
  nativeTools: true,
};

/** Gemini CLI, unmodified, with the user's own login and settings. */
export function createGeminiProvider(options: GeminiOptions = {}): Provider {
  return {
    name: 'gemini',
    kind: 'cli',
    capabilities: GEMINI_CAPABILITIES,
    sessionFiles: geminiSessions(options.environment ?? process.env),
    open: (session) => openSession(options, { access: 'plan', ...session }),
  };
}

/**
 * A turn goes headless, a process of its own, as long as that will do. With tools of ours, somebody to ask,
 * pictures, or words that headless mode would take for file names, it goes over the Agent Client Protocol, and
 * so do all after it. The session is one and the same.
 */
function openSession(options: GeminiOptions, session: SessionOptions): Session {
  const memory: GeminiMemory = { id: session.resume };
  const headless = createHeadless(options, session, memory);
  let acp: Session | undefined;
  /** Whether the ACP process has the session open, so that it need not be loaded. */
  let isLoaded = false;
  let last: Promise<unknown> = Promise.resolve();

  const openAcp = (): Session => {
    acp ??= acpProvider(options, session).open({ ...session, ...(memory.id && { resume: memory.id }) });
    return acp;
  };

  const headlessTurn = (input: TurnInput): AsyncIterable<TurnEvent> =>
    runTurn({
      ...{ provider: 'gemini', input, redactor: session.redactor },
      session: {},
      speak(live) {
        const spoken = last.then(() =>
          live.signal.aborted ? { reason: 'aborted' as const } : headless.speak(live),
        );
        last = spoken.catch(() => undefined);
        return spoken;
      },
    });

  async function* acpTurn(input: TurnInput): AsyncGenerator<TurnEvent> {
    if (!isLoaded && memory.id !== undefined) {
      const { environment = process.env } = options;
      await waitOutMinute({ home: homeOf(environment), sessionId: memory.id, signal: input.signal });
    }
    for await (const event of openAcp().turn(input)) {
      if (event.type === 'turn.start') memory.id = event.sessionId ?? memory.id;
      if (event.type === 'turn.end') isLoaded = !mayBeGone(event);
      yield event;
    }
  }

  return {
    turn: (input) =>
      acp !== undefined || needsAcp(input, session, memory) ? acpTurn(input) : headlessTurn(input),
    async close() {
      await Promise.all([headless.close(), acp?.close()]);
    },
  };
}

/** Whether the process may have ended with the turn, so that the next one has to load the session. */
const mayBeGone = ({ reason, error }: TurnEnd): boolean =>
  reason === 'timeout' || GONE.has(error?.code ?? '');

const GONE: ReadonlySet<string> = new Set(['E_PROVIDER_EXIT', 'E_PROVIDER_START', 'E_PROVIDER_SESSION']);

function needsAcp({ request, delta }: TurnInput, { ask }: SessionOptions, { id }: GeminiMemory): boolean {
  const words = wordsOf(id === undefined ? request : (delta ?? request));
  const isMore = ask === true || request.tools.length > 0 || words.images.length > 0;
  return guard('gemini.acp', isMore) || namesFiles(oneText(words));
}

function acpProvider(options: GeminiOptions, session: SessionOptions): Provider {
  const { command = 'gemini', args = [], environment, allow = [] } = options;
  return createAcpProvider({
    name: 'gemini',
    agent: 'gemini',
    command,
    args: [...args, '--acp', ...trustArguments(options, session)],
    modelFlag: '-m',
    env: GEMINI_SET,
    allow: [...GEMINI_ENVIRONMENT, ...allow],
    modes: acpModes(session.ask === true),
    ...(environment && { parentEnv: environment }),
  });
}
