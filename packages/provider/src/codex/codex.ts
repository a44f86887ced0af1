import { type LateStart, withLateStart } from '../agent/late-start.js';
import { codexSessions } from '../agent/session-files.js';
import { runTurn } from '../stream/run-turn.js';
import { failedEnd } from '../stream/turn-error.js';
import type { Provider, ProviderCapabilities, Session, SessionOptions, TurnInput } from '../turn.js';
import { createAppServer } from './app-server/driver.js';
import type { CodexDriver, CodexEnding, ThreadMemory } from './driver.js';
import { createExec } from './exec/driver.js';
import type { CodexOptions } from './settings.js';

/** What Codex can do through its app-server. A changed input becomes a denial that says what is allowed instead. */
export const CODEX_CAPABILITIES: ProviderCapabilities = {
  streams: true,
  resumes: true,
  interrupts: true,
  approves: true,
  changesInput: false,
  planning: true,
  nativeTools: true,
};

/** What `codex exec` can do: whole messages instead of deltas, and nobody is asked. */
export const CODEX_EXEC_CAPABILITIES: ProviderCapabilities = {
  ...CODEX_CAPABILITIES,
  streams: false,
  approves: false,
};

/** The Codex CLI, unmodified, with the user's own login and configuration. */
export function createCodexProvider(options: CodexOptions = {}): Provider {
  const { transport, environment = process.env } = options;
  return {
    name: 'codex',
    kind: 'cli',
    capabilities: transport === 'exec' ? CODEX_EXEC_CAPABILITIES : CODEX_CAPABILITIES,
    editRunsCommands: true,
    sessionFiles: codexSessions(environment),
    open: (session) => openSession(options, session),
  };
}

function openSession(options: CodexOptions, session: SessionOptions): Session {
  const memory: ThreadMemory = { id: session.resume };
  let driver: CodexDriver | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const use = (way: typeof createAppServer): CodexDriver => {
    driver = way(options, session, memory);
    return driver;
  };

  /** A Codex that has no app-server is used in the old way from then on, unless the app-server was asked for. */
  const speak = async (...said: Parameters<CodexDriver['speak']>): Promise<CodexEnding> => {
    const first = driver ?? use(options.transport === 'exec' ? createExec : createAppServer);
    const end = await first.speak(...said);
    if (end !== 'unavailable') return end;
    await first.close();
    if (options.transport === 'app-server')
      return failedEnd('E_PROVIDER_START', 'This Codex has no app-server.');
    const second = await use(createExec).speak(...said);
    return second === 'unavailable' ? failedEnd('E_PROVIDER_START', 'This Codex cannot be run.') : second;
  };

  const turn = (input: TurnInput) => {
    let announce = (_details: LateStart) => {};
    const known = new Promise<LateStart>((resolve) => {
      announce = resolve;
    });
    // A turn that is over before it began never comes to speak.
    if (input.signal?.aborted) announce({});
    input.signal?.addEventListener('abort', () => announce({}), { once: true });
    const before = last;
    const { model } = session;
    const events = runTurn({
      ...{ provider: 'codex', input, redactor: session.redactor },
      session: { ...(model && { model }), ...(memory.id && { sessionId: memory.id }) },
      speak(live) {
        live.signal.addEventListener('abort', () => announce({}), { once: true });
        const begin = (): Promise<CodexEnding> | CodexEnding =>
          live.signal.aborted ? { reason: 'aborted' } : speak(live, announce);
        const spoken = before.then(begin).finally(() => announce({}));
        last = spoken.catch(() => undefined);
        return spoken;
      },
    });
    return withLateStart(events, known);
  };

  return { turn, close: async () => driver?.close() };
}
