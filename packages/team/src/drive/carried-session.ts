import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { RunId } from '@cuebook/journal';
import type { SessionFile, SessionFiles } from '@cuebook/provider';
import { sessionPath } from '@cuebook/workspace';
import { z } from 'zod';

/** A session of a CLI agent as another machine can go on with it. */
const carried = z.strictObject({
  version: z.literal(1),
  provider: z.string(),
  session: z.string(),
  /** The turn after which it was taken. */
  turn: z.number(),
  /** Of the holder of the run: a later one has a higher one. */
  token: z.number(),
  /** The folder that the agent worked in. */
  cwd: z.string(),
  files: z.array(z.strictObject({ path: z.string(), text: z.string() })),
});
type Carried = z.infer<typeof carried>;

/** Which session of which node. */
export interface SessionName {
  readonly run: RunId;
  readonly node: string;
  readonly provider: string;
  readonly session: string;
  readonly turn: number;
  readonly cwd: string;
}

/**
 * Keeps the files of a session for other machines, once they hold what was said last. What cannot be kept is no harm:
 * the conversation is told anew there.
 */
export async function keepSession(
  shared: Files,
  agent: SessionFiles,
  { token, said, ...name }: SessionName & { readonly token: number; readonly said: readonly string[] },
): Promise<void> {
  const { run, node, provider, session, turn, cwd } = name;
  const files = await takeWhole(agent, { id: session, cwd }, said);
  if (files === undefined) return;
  const path = sessionPath(run, node);
  const before = await shared.readDocument(path, { limit: MAX_BYTES });
  const known = before.ok ? parse(before.value.text) : undefined;
  if (guard('session.token', known !== undefined && known.token > token)) return;
  const kept: Carried = { version: 1, provider, session, turn, token, cwd, files: [...files] };
  const text = gzipSync(JSON.stringify(kept)).toString('base64');
  if (text.length > MAX_BYTES) return;
  await shared.writeText(path, text, { mode: 0o600, ifMatch: before.ok ? before.value.sha256 : 'absent' });
}

/** Puts a session that another machine kept where the agent of this one finds it. False: it is not there, or of before. */
export async function putSession(shared: Files, agent: SessionFiles, name: SessionName): Promise<boolean> {
  const text = await shared.readText(sessionPath(name.run, name.node), { limit: MAX_BYTES });
  const kept = text.ok ? parse(text.value) : undefined;
  const { provider, session, turn, cwd } = name;
  const isIt = kept?.provider === provider && kept.session === session && kept.turn === turn;
  if (kept === undefined || guard('session.turn', !isIt)) return false;
  const files = kept.files.map((file) => ({ ...file, text: moved(file.text, kept.cwd, cwd) }));
  return agent.put({ id: session, cwd }, files);
}

/** An agent writes its files behind what it says: they are whole when they hold its last words. */
async function takeWhole(
  agent: SessionFiles,
  at: { readonly id: string; readonly cwd: string },
  said: readonly string[],
): Promise<readonly SessionFile[] | undefined> {
  const last = said.findLast((each) => each.trim() !== '')?.trim() ?? '';
  const words = JSON.stringify(last.slice(-WORDS)).slice(1, -1);
  let before: string | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const files = await agent.take(at);
    const texts = files?.map(({ text }) => text).join('\n');
    const isWhole = words === '' ? texts === before : texts?.includes(words) === true;
    if (files !== undefined && isWhole) return files;
    before = texts;
    await wait(PAUSE_MS);
  }
  return undefined;
}

const WORDS = 60;
const TRIES = 40;
const PAUSE_MS = 50;
const MAX_BYTES = 24 * 1024 * 1024;

/** The folder of the agent is another one here; a longer name that only begins or ends so is another folder. */
function moved(text: string, from: string, to: string): string {
  const [old, now] = [from, to].map((each) => JSON.stringify(each).slice(1, -1));
  const pattern = (old ?? '').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return text.replaceAll(new RegExp(`(?<![\\w./-])${pattern}(?![\\w.-])`, 'g'), () => now ?? '');
}

function parse(text: string): Carried | undefined {
  try {
    const read = carried.safeParse(JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()));
    return read.success ? read.data : undefined;
  } catch {
    return undefined; // Not ours.
  }
}
