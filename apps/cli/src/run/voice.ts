import type { GatedRequest, Redactor } from '@cuebook/prompt';
import {
  createProvider,
  type Provider,
  priceOf,
  pricesOf,
  readScript,
  type Script,
  type Session,
} from '@cuebook/provider';
import { type Flags, flagValue } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import type { Io } from '../io.js';
import type { Bench } from '../project/bench.js';
import { readNamedFile } from '../project/named-file.js';
import { requireProviders } from '../project/providers.js';

/** Who speaks in a run. */
export interface Voice {
  readonly provider: Provider;
  readonly session: Session;
  readonly redactor: Redactor;
  readonly model?: string;
  /** Whether what it costs is known. */
  readonly priced: boolean;
  /** The same of another model. */
  readonly isPriced: (model: string) => boolean;
}

/** A call as far as it says who speaks. */
export interface VoiceCall {
  readonly flags: Flags;
  readonly io: Io;
  /** What the rehearsal says, in place of the file of `--script`. */
  readonly script?: string;
}

/** The provider that the call names, or the project, or else the rehearsal; a script is for the rehearsal. */
export async function openVoice(
  bench: Pick<Bench, 'folder' | 'redactor' | 'files'>,
  request: Pick<GatedRequest, 'params'>,
  call: VoiceCall,
): Promise<Voice> {
  return (await openVoices(bench, call))(request);
}

/** The same for many requests: a session for each, of one provider, so that a script goes on where it was. */
export async function openVoices(
  { folder, redactor, files }: Pick<Bench, 'folder' | 'redactor' | 'files'>,
  call: VoiceCall,
): Promise<(request: Pick<GatedRequest, 'params'>) => Voice> {
  const { flags, io } = call;
  const config = await requireProviders(files);
  const script = await readScriptOf(call);
  const name = flagValue(flags, 'provider') ?? (script === undefined ? undefined : 'rehearsal');
  if (script !== undefined && name !== 'rehearsal') {
    throw usage('--script is played by the rehearsal: leave --provider out');
  }
  const made = createProvider(name, { config, env: io.env, ...(script && { script }) });
  if (!made.ok) throw new Failure(made.error.code, made.error.message);
  const provider = made.value;
  return ({ params }) => {
    const model = flagValue(flags, 'model') ?? (typeof params.model === 'string' ? params.model : undefined);
    const session = provider.open({ redactor, cwd: folder, access: 'plan', ...(model && { model }) });
    const isPriced = (name: string): boolean => priceOf(name, pricesOf(config)) !== undefined;
    const priced = model !== undefined && isPriced(model);
    return { provider, session, redactor, priced, isPriced, ...(model && { model }) };
  };
}

/** What the rehearsal says, as it is handed in or from the file of `--script`. */
export async function readScriptOf({ flags, io, script: text }: VoiceCall): Promise<Script | undefined> {
  const file = flagValue(flags, 'script');
  if (file === undefined && text === undefined) return undefined;
  const script = readScript(text ?? (await readNamedFile(io.cwd, file ?? '')), file ?? 'script');
  if (!script.ok) throw diagnosed(script.error);
  return script.value;
}
