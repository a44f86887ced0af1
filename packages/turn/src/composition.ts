import type { PortError } from '@cuebook/engine';
import type { Ground } from '@cuebook/host';
import {
  type BlockInput,
  composeRequest,
  describeRefusal,
  fail,
  type GatedRequest,
  type JsonValue,
  type OfferedTool,
  ok,
  type Result,
} from '@cuebook/prompt';
import type { TurnPrompt } from './prompt.js';

/**
 * The request of a run that another process began, or of an answer that is asked for once more: gated anew, and the same
 * words or none. Notes of ours about the answer before stand behind them.
 */
export function requestOf(
  composition: JsonValue,
  { hash, notes = [] }: { readonly hash: string; readonly notes?: readonly string[] },
  ground: Pick<Ground, 'hash' | 'redactor'>,
): Result<GatedRequest, PortError> {
  const kept = composition as unknown as {
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
  if (request.value.prompt.hash !== hash)
    return fail({
      code: 'E_TURN_CHANGED',
      message: 'What is private here has changed since the run began, so its prompt would be another one.',
    });
  if (notes.length === 0) return ok(request.value);
  const blocks = [...kept.blocks, ...notes.map(noteBlock)];
  const noted = composeRequest({ ...kept, blocks, hash: ground.hash, redactor: ground.redactor });
  return noted.ok
    ? noted
    : fail({ code: 'E_TURN_CHANGED', message: 'The note about the answer was refused.' });
}

/** Our own words about lengths and members of an answer. */
const noteBlock = (text: string, index: number): BlockInput => ({
  name: index === 0 ? 'correction' : `correction ${index + 1}`,
  role: 'user',
  pieces: [
    {
      text,
      origin: { kind: 'shipped', ref: 'corrective-note' },
      trust: 'platform',
      secrecy: 'public',
      volatility: 'turn',
    },
  ],
});

/** The files that blocks have public words of, as they were composed. What is not in the project is not among them. */
export async function filesTold(
  blocks: readonly BlockInput[],
  files: Pick<NonNullable<TurnPrompt['from']>['project'], 'readText'>,
): Promise<Readonly<Record<string, string>>> {
  const told = blocks.flatMap(({ pieces }) => pieces.filter(({ secrecy }) => secrecy === 'public'));
  const refs = new Set(
    told.flatMap(({ origin: { kind, ref } }) => (kind === 'file' || kind === 'value' ? [ref] : [])),
  );
  const texts: (readonly [string, string])[] = [];
  for (const ref of refs) {
    const text = await files.readText(ref);
    if (text.ok) texts.push([ref, text.value]);
  }
  return Object.fromEntries(texts);
}
