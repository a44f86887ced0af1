import { describeFileError, type FileError, type Files } from '@cuebook/files';
import type { RunId } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { HostError, StartCall } from './contract.js';
import { openVault } from './vault.js';

/**
 * What a run needs that is not in its log: on the disk before the run is. Plain JSON. Whatever of it somebody wrote
 * (scripts, commands, servers with their keys) is sealed with a key of the home.
 */
export type RunNote = {
  /** The command that makes a fresh workspace ready. */
  readonly setup?: string;
  /** What the rehearsal says, as it was handed in. */
  readonly script?: string;
  /** The MCP servers that its agents may use, as the operator named them at its beginning. */
  readonly servers?: object;
  /** How it was called, without what was said: that is in the log alone. */
  readonly call?: NotedCall;
  /** Tells calls with one id apart, and what it was made with, so that nobody learns a secret by trying them all. */
  readonly digest?: string;
  readonly salt?: string;
  /** The machine that it was begun on, where several work on the project: there it works in the project's own folder. */
  readonly machine?: string;
  /** What is sealed of it cannot be opened here: the key is another one, or gone. */
  readonly unopened?: true;
};

/** The call that began a run, as far as a later process needs it to go on. */
export type NotedCall = Pick<StartCall, 'target' | 'provider' | 'model' | 'script' | 'scriptFile'>;

/** A call as the record of a run has it: a script is named by its file alone. */
export type RecordedCall = Omit<NotedCall, 'script'>;

/** Where notes are kept. */
export const NOTES = 'runs';
const fileOf = (run: RunId): string => `${NOTES}/${run}.json`;

/** The run that a file of the notes is about. */
export const runOfNote = (name: string): RunId | undefined =>
  name.endsWith('.json') ? (name.slice(0, -'.json'.length) as RunId) : undefined;

/** Keeps the note of a run. Atomic and durable; private to the user. */
export const writeRunNote = (home: Files, run: RunId, note: RunNote): Promise<Result<null, HostError>> =>
  write(home, run, note, {});

/** Keeps the first note of a run. One that is there already stays: `NOTED`. */
export const createRunNote = (home: Files, run: RunId, note: RunNote): Promise<Result<null, HostError>> =>
  write(home, run, note, { ifMatch: 'absent' });

/** Somebody else has noted the run first. */
export const NOTED = 'E_FILE_CHANGED';

async function write(
  home: Files,
  run: RunId,
  note: RunNote,
  options: { readonly ifMatch?: string },
): Promise<Result<null, HostError>> {
  const made = await home.makeDirectory(NOTES);
  const text = await printNote(home, note);
  if (!text.ok) return text;
  const written = made.ok ? await home.writeText(fileOf(run), text.value, { mode: 0o600, ...options }) : made;
  return written.ok ? ok(null) : fail(unavailable(written.error));
}

/** What tells calls apart, and the machine, stay in clear. */
async function printNote(home: Files, note: RunNote): Promise<Result<string, HostError>> {
  const { digest, salt, machine, unopened: _unopened, ...words } = note;
  if (Object.values(words).every((each) => each === undefined)) return ok(JSON.stringify(note));
  const vault = await openVault(home);
  if (!vault.ok) return fail(vault.error.code === 'E_SECRET_SEAL' ? BAD_KEY : unavailable(vault.error));
  const sealed = vault.value.seal(JSON.stringify(words));
  return ok(JSON.stringify({ sealed, digest, salt, machine }));
}

/** Why a run whose note is `unopened` cannot go on here. */
export const UNOPENED_NOTE: HostError = {
  code: 'E_SECRET_SEAL',
  message:
    'How this run was called was sealed with a key that is not here: go on in the home, or with the project key, that the run was begun with.',
  kind: 'unavailable',
};

const BAD_KEY: HostError = {
  code: 'E_SECRET_SEAL',
  message:
    'The key that CUEBOOK_HOME seals with is damaged, so the run could not be noted. Restore keys/threads.key.',
  kind: 'unavailable',
};

/** Undefined: it was sealed with another key, or changed. */
async function openNote(home: Files, sealed: string): Promise<string | undefined> {
  const vault = await openVault(home);
  return vault.ok ? vault.value.open(sealed) : undefined;
}

const unavailable = (error: FileError): HostError => ({
  code: error.code,
  message: `CUEBOOK_HOME: ${describeFileError(error)}`,
  kind: 'unavailable',
});

/** Takes the note of a run away. One that is not there is as good. */
export async function removeRunNote(home: Files, run: RunId): Promise<Result<null, HostError>> {
  const gone = await home.remove(fileOf(run));
  if (gone.ok || gone.error.code === 'E_FILE_NOT_FOUND') return ok(null);
  return fail(unavailable(gone.error));
}

/** The note of a run; one that is not there or cannot be read says nothing. */
export async function readRunNote(home: Files, run: RunId): Promise<RunNote> {
  const text = await home.readText(fileOf(run), { limit: MAX_NOTE });
  if (!text.ok) return {};
  const { sealed, digest, salt, machine, ...open } = parse(text.value);
  const opened = typeof sealed === 'string' ? await openNote(home, sealed) : undefined;
  const words = typeof sealed === 'string' ? parse(opened ?? '') : open;
  const { setup, script, servers, call } = words;
  const noted = callOf(call);
  return {
    ...(typeof setup === 'string' ? { setup } : {}),
    ...(typeof script === 'string' ? { script } : {}),
    ...(typeof servers === 'object' && servers !== null ? { servers } : {}),
    ...(noted === undefined ? {} : { call: noted }),
    ...(typeof digest === 'string' ? { digest } : {}),
    ...(typeof salt === 'string' ? { salt } : {}),
    ...(typeof machine === 'string' ? { machine } : {}),
    ...(typeof sealed === 'string' && opened === undefined ? { unopened: true } : {}),
  };
}

/** A script may be long, and grows by a third when it is sealed. */
const MAX_NOTE = 48 * 1024 * 1024;

function callOf(value: unknown): NotedCall | undefined {
  const { target, provider, model, script, scriptFile } = Object(value) as Record<string, unknown>;
  if (typeof target !== 'string') return undefined;
  return {
    target,
    ...(typeof provider === 'string' ? { provider } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof script === 'string' ? { script } : {}),
    ...(typeof scriptFile === 'string' ? { scriptFile } : {}),
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {}; // Writes are atomic: somebody else wrote this. A run without its script says so when it speaks.
  }
}
