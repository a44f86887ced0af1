import { conversationCommand, type HostError, refusalError, refuse, type Telling } from '@cuebook/host';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { providerCatalog } from '@cuebook/provider';
import { tellRun } from '../run/tell-run.js';

/** A word for a run whose package or voice is not at hand. */
export async function tellClosed({
  run,
  ground,
  word,
  said,
}: Telling): Promise<Result<JsonValue, HostError>> {
  const command = conversationCommand(word, said.by);
  if (
    command?.type !== 'approval.resolve' &&
    command?.type !== 'agent.say' &&
    command?.type !== 'effect.resolve'
  )
    return refuse('unavailable', 'E_RUN_CALL', 'It takes this word when it can be opened.');
  // Turns that change nothing by themselves may be taken again when they were cut off.
  const catalog = providerCatalog(ground.providers.config).filter(({ kind }) => kind !== 'cli');
  const voices = new Set(catalog.map(({ name }) => name));
  const told = await tellRun(
    { store: ground.store, run, id: said.id, mayRepeat: (voice) => voices.has(voice) },
    command,
  );
  return told.ok ? ok(null) : fail(refusalError(told.error));
}
