import { homedir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';

export interface MinuteOptions {
  /** Where Gemini CLI keeps its `.gemini` folder. */
  readonly home: string;
  readonly sessionId: string;
  readonly signal?: AbortSignal | undefined;
  readonly now?: () => number;
  /** Settles after so many milliseconds, or when the signal fires. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Gemini CLI names a session's file by the minute in which it began, and when it loads a session over the Agent
 * Client Protocol it begins a file of this minute first. In the very minute both are one file, and the session
 * is lost. So that does not happen before the minute is over. Answers whether there was anything to wait for.
 */
export async function waitOutMinute(options: MinuteOptions): Promise<boolean> {
  const { now = Date.now, wait = waitFor } = options;
  let waited = false;
  while (options.signal?.aborted !== true && (await isOfThisMinute(options, now()))) {
    waited = true;
    await wait(MINUTE_MS - (now() % MINUTE_MS), options.signal);
  }
  return waited;
}

/** The home that a child with this environment has. */
export const homeOf = (environment: Readonly<Record<string, string | undefined>>): string =>
  environment.GEMINI_CLI_HOME || environment.HOME || environment.USERPROFILE || homedir();

const MINUTE_MS = 60_000;
/** Projects that are looked through; each is one folder, and a user has a few. */
const MAX_PROJECTS = 2_000;

async function isOfThisMinute({ home, sessionId }: MinuteOptions, now: number): Promise<boolean> {
  const minute = new Date(now).toISOString().slice(0, 16).replace(':', '-');
  const names = ['json', 'jsonl'].map((ending) => `session-${minute}-${sessionId.slice(0, 8)}.${ending}`);
  const folder = await openFolder(join(home, '.gemini', 'tmp'), { access: 'ro' });
  if (!folder.ok) return false;
  const projects = await folder.value.list('.', { limit: MAX_PROJECTS });
  if (!projects.ok) return false;
  for (const { name } of projects.value.entries) {
    for (const file of names) {
      const found = await folder.value.exists(`${name}/chats/${file}`);
      if (found.ok && found.value) return true;
    }
  }
  return false;
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
    if (signal?.aborted === true) done();
  });
}
