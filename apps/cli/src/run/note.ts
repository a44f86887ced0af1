import { resolve } from 'node:path';
import { type NotedCall, readRunNote, writeRunNote } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { type Call, type Flags, flagValue } from '../command.js';
import { Failure } from '../failure.js';
import { readNamedFile } from '../project/named-file.js';
import type { Journal } from '../record/journal.js';
import { insideName } from './inside-name.js';
import type { VoiceCall } from './voice.js';

type Spoken = Omit<NotedCall, 'target'>;

/** Who speaks, as the flags of a call say it. */
export async function spokenOf({ flags, io }: Pick<Call, 'flags' | 'io'>): Promise<Spoken> {
  const [file, provider, model] = ['script', 'provider', 'model'].map((name) => flagValue(flags, name));
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(file === undefined ? {} : { script: await readNamedFile(io.cwd, file) }),
  };
}

/** The file of the script that a call names, from the project's folder; undefined: it lies elsewhere, or there is none. */
export function scriptFileOf({ flags, io }: Pick<Call, 'flags' | 'io'>, folder: string): string | undefined {
  const file = flagValue(flags, 'script');
  return file === undefined ? undefined : insideName(folder, resolve(io.cwd, file));
}

/** Keeps how a run is called, so that any process of the project goes on with it. */
export async function noteCall(
  { home }: Pick<Journal, 'home'>,
  { run, target, folder }: { readonly run: RunId; readonly target: string; readonly folder: string },
  call: Pick<Call, 'flags' | 'io'>,
): Promise<void> {
  const scriptFile = scriptFileOf(call, folder);
  const written = await writeRunNote(home, run, {
    call: { target, ...(await spokenOf(call)), ...(scriptFile === undefined ? {} : { scriptFile }) },
  });
  if (!written.ok) throw new Failure(written.error.code, written.error.message, { exit: 3 });
}

/** The same for a run that goes on in another voice, or of which nothing says how it was called. */
export async function noteGoingOn(
  journal: Pick<Journal, 'home'>,
  about: Parameters<typeof noteCall>[1] & { readonly isRecorded: boolean },
  call: Pick<Call, 'flags' | 'io'>,
): Promise<void> {
  const { call: noted, unopened } = await readRunNote(journal.home, about.run);
  const isKnown = noted !== undefined || unopened === true || about.isRecorded;
  if (namesVoice(call.flags) || !isKnown) await noteCall(journal, about, call);
}

export const namesVoice = (flags: Flags): boolean =>
  ['script', 'provider', 'model'].some((name) => flagValue(flags, name) !== undefined);

/** Whether the flags of a call leave who speaks as it is noted. */
export async function isSameVoice(noted: NotedCall, call: Pick<Call, 'flags' | 'io'>): Promise<boolean> {
  if (!namesVoice(call.flags)) return true;
  const { provider, model, script } = await spokenOf(call);
  return (
    voiceName({ provider, script }) === voiceName(noted) && model === noted.model && script === noted.script
  );
}

const voiceName = ({ provider, script }: { provider?: string | undefined; script?: string | undefined }) =>
  provider ?? (script === undefined ? undefined : 'rehearsal');

/** The call that says who speaks in a run that was begun before: this one, or, where it names nobody, what is noted. */
export async function voiceCall({ home }: Journal, run: RunId, call: Call): Promise<VoiceCall> {
  const { call: noted } = await readRunNote(home, run);
  if (namesVoice(call.flags) || noted === undefined) return call;
  const { provider, model, script } = noted;
  const flags = {
    ...call.flags,
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  };
  return { flags, io: call.io, ...(script === undefined ? {} : { script }) };
}
