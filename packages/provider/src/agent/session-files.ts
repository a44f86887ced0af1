import { join } from 'node:path';
import { type Files, openFolder } from '@cuebook/files';

/**
 * How the sessions of a CLI agent come from one machine to another: as the files in which it keeps them. Nothing
 * throws; what cannot be done is `undefined` or false, and the conversation is told anew.
 */
export interface SessionFiles {
  /** The files of a session as they are now. */
  take(session: SessionPlace): Promise<readonly SessionFile[] | undefined>;
  /** Puts them where the agent looks for them. True: it finds the session. */
  put(session: SessionPlace, files: readonly SessionFile[]): Promise<boolean>;
}

/** A session, and the folder that the agent works in. */
export interface SessionPlace {
  readonly id: string;
  readonly cwd: string;
}

/** A file below the folder in which the agent keeps what it knows. Plain JSON. */
export type SessionFile = { readonly path: string; readonly text: string };

/** Where an agent keeps its sessions. */
export interface SessionLayout {
  /** Its folder on this machine. */
  readonly folder: () => string;
  /** What is looked through below it. */
  readonly below: string;
  /** Whether a file is of the session. */
  readonly isOf: (path: string, id: string) => boolean;
  /** Where the file is for an agent that works in a folder; undefined: nowhere. */
  readonly placeOf: (path: string, session: SessionPlace, files: Files) => Promise<string | undefined>;
}

export function sessionFiles({ folder, below, isOf, placeOf }: SessionLayout): SessionFiles {
  return {
    async take({ id }) {
      const opened = await openFolder(folder(), { access: 'ro' });
      if (!opened.ok || !ID.test(id)) return undefined;
      const found: SessionFile[] = [];
      let room = MAX_BYTES;
      for await (const each of opened.value.walk(below, { ignore: [] })) {
        if (!each.ok || !isOf(each.value, id)) continue;
        const text = await opened.value.readText(each.value, { limit: room });
        // A part of a session is none.
        if (!text.ok) return undefined;
        room -= Buffer.byteLength(text.value);
        found.push({ path: each.value, text: text.value });
      }
      return found.length === 0 ? undefined : found;
    },
    async put(session, files) {
      const opened = await openFolder(folder(), { create: true });
      if (!opened.ok || !ID.test(session.id)) return false;
      for (const { path, text } of files) {
        const place = isOf(path, session.id) ? await placeOf(path, session, opened.value) : undefined;
        if (place === undefined) return false;
        const written = await opened.value.writeText(place, text, { mode: 0o600 });
        if (!written.ok) return false;
      }
      return files.length > 0;
    },
  };
}

/** A name that leads nowhere else. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{7,99}$/;
const MAX_BYTES = 32 * 1024 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;
const homeOf = (env: Environment): string => env.HOME || env.USERPROFILE || '';

/** Claude Code: one file for each session, below a folder for each folder that it works in. */
export const claudeSessions = (env: Environment): SessionFiles =>
  sessionFiles({
    folder: () => env.CLAUDE_CONFIG_DIR || join(homeOf(env), '.claude'),
    below: 'projects',
    isOf: (path, id) => new RegExp(`^projects/[^/]+/${id}(?:\\.jsonl$|/)`).test(path),
    async placeOf(path, { cwd }) {
      const name = cwd.replace(/[^A-Za-z0-9]/g, '-');
      // Longer ones are cut, in a way of its own.
      return name.length > 200 ? undefined : path.replace(/^projects\/[^/]+/, `projects/${name}`);
    },
  });

/** Codex: one file for each session, by the day that it began on; found by its id. */
export const codexSessions = (env: Environment): SessionFiles =>
  sessionFiles({
    folder: () => env.CODEX_HOME || join(homeOf(env), '.codex'),
    below: 'sessions',
    isOf: (path, id) => new RegExp(`^sessions/(?:\\d+/)*rollout-[^/]*-${id}\\.jsonl$`).test(path),
    placeOf: async (path) => path,
  });

/** Gemini CLI: one file for each session, below a folder that says which folder it is for. */
export const geminiSessions = (env: Environment): SessionFiles =>
  sessionFiles({
    folder: () => join(env.GEMINI_CLI_HOME || homeOf(env), '.gemini'),
    below: 'tmp',
    isOf: (path, id) => new RegExp(`^tmp/[^/]+/chats/session-[^/]*-${id.slice(0, 8)}\\.jsonl?$`).test(path),
    async placeOf(path, { cwd, id }, files) {
      const name = await geminiFolder(files, cwd, id);
      return name === undefined ? undefined : path.replace(/^tmp\/[^/]+/, `tmp/${name}`);
    },
  });

/** The folder of Gemini CLI for a folder that it works in; one that it has not seen yet is marked as it does itself. */
async function geminiFolder(files: Files, cwd: string, id: string): Promise<string | undefined> {
  const listing = await files.list('tmp');
  for (const { name } of listing.ok ? listing.value.entries : []) {
    const root = await files.readText(`tmp/${name}/${ROOT}`, { limit: 10_000 });
    if (root.ok && root.value.trim() === cwd) return name;
  }
  const name = `cuebook-${id.slice(0, 8).toLowerCase()}`;
  const marked = await files.writeText(`tmp/${name}/${ROOT}`, cwd, { ifMatch: 'absent' });
  return marked.ok ? name : undefined;
}

const ROOT = '.project_root';

/** A program of one's own: every file below a folder whose path names the session. */
export const ownSessions = (folder: string): SessionFiles =>
  sessionFiles({
    folder: () => folder,
    below: '.',
    isOf: (path, id) => path.includes(id),
    placeOf: async (path) => path,
  });
