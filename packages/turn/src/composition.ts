import type { PortError } from '@cuebook/engine';
import { type HostError, refuse, type TalkPlace } from '@cuebook/host';
import { describeJournalError, type RunId, type Store } from '@cuebook/journal';
import {
  type BlockInput,
  composeRequest,
  describeRefusal,
  fail,
  type GatedRequest,
  type OfferedTool,
  ok,
  type Result,
} from '@cuebook/prompt';
import type { TurnAbout, TurnPrompt } from './prompt.js';

/** Seals what was composed, so that a later process tells the same. Answers the name of the entry. */
export async function keepComposition(
  store: Pick<Store, 'vault' | 'putBlob'>,
  run: RunId,
  { blocks, tools, params }: TurnPrompt,
): Promise<Result<string, HostError>> {
  if (store.vault === undefined) return refuse('unavailable', 'E_TURN_PROMPT', NO_VAULT);
  const sealed = await store.vault.seal(run, JSON.stringify({ blocks, tools, params }));
  if (!sealed.ok) return refuse('unavailable', sealed.error.code, describeJournalError(sealed.error));
  await store.putBlob(sealed.value.blob);
  return ok(sealed.value.id);
}

/** The request of a run that another process began: gated anew, and the same words or none. */
export async function requestOf(
  { composition, hash }: Pick<TurnAbout, 'composition' | 'hash'>,
  { run, ground }: TalkPlace,
): Promise<Result<GatedRequest, PortError>> {
  const text = await ground.store.vault?.open(run, composition);
  if (text === undefined)
    return fail({
      code: 'E_TURN_PROMPT',
      message: 'What was composed when the run began cannot be had any more.',
    });
  const kept = JSON.parse(text) as {
    readonly blocks: readonly BlockInput[];
    readonly tools: readonly OfferedTool[];
    readonly params: Readonly<Record<string, unknown>>;
  };
  const request = composeRequest({ ...kept, hash: ground.hash, redactor: ground.redactor });
  if (!request.ok) {
    const [first] = request.error;
    return fail({
      code: first?.code ?? 'E_TURN_CHANGED',
      message: first === undefined ? 'Refused.' : describeRefusal(first),
    });
  }
  if (request.value.prompt.hash === hash) return ok(request.value);
  return fail({
    code: 'E_TURN_CHANGED',
    message: 'What is private here has changed since the run began, so its prompt would be another one.',
  });
}

const NO_VAULT = 'This store seals nothing, so what is composed cannot be kept with the run.';
