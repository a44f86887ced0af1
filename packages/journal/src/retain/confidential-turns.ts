import type { Block, JsonValue } from '@cuebook/prompt';
import type { ProjectionChange, RunId, Store } from '../contract.js';
import { shortDigest } from '../turn/digest.js';
import { confidentialTexts } from './mask.js';

/**
 * Which turns of a run brought confidential words that no turn before had: a read model, kept from the first turn of a
 * run on. A run without it was recorded before there was one.
 */
const CONFIDENTIAL = 'journal.confidential';

interface ConfidentialTurns {
  readonly turns: readonly string[];
  /** Digests of the words that are known. */
  readonly known: readonly string[];
}

/** Prompts whose words may be confidential. */
interface Told {
  readonly prompt: { readonly blocks: readonly Pick<Block, 'text' | 'spans'>[] };
}

/** What recording a turn changes in the read model. */
export async function confidentialChange(
  of: {
    readonly store: Pick<Store, 'projection'>;
    readonly run: RunId;
    readonly turn: string;
    readonly isFirst: boolean;
  },
  request: Told,
  delta: Told | undefined,
): Promise<readonly ProjectionChange[]> {
  const { store, run, turn, isFirst } = of;
  const texts = confidentialTexts([...request.prompt.blocks, ...(delta?.prompt.blocks ?? [])]);
  if (texts.length === 0 && !isFirst) return [];
  const before = isFirst ? NONE : await readConfidential(store, run);
  if (before === undefined) return [];
  const known = new Set(before.known);
  const found = [...new Set(texts.map(shortDigest))].filter((each) => !known.has(each));
  if (found.length === 0 && !isFirst) return [];
  const turns = found.length === 0 ? before.turns : [...before.turns, turn];
  return [{ name: CONFIDENTIAL, key: run, value: { turns: [...turns], known: [...before.known, ...found] } }];
}

const NONE: ConfidentialTurns = { turns: [], known: [] };

async function readConfidential(
  store: Pick<Store, 'projection'>,
  run: RunId,
): Promise<ConfidentialTurns | undefined> {
  const value = await store.projection(CONFIDENTIAL, run);
  if (typeof value !== 'object' || value === null) return undefined;
  const kept = value as { readonly turns?: JsonValue; readonly known?: JsonValue };
  const [turns, known] = [textsIn(kept.turns), textsIn(kept.known)];
  return turns && known && { turns, known };
}

const textsIn = (value: JsonValue | undefined): readonly string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;

/** The turns whose prompts hold all confidential words of a run; undefined: they are not known. */
export const findConfidential = async (
  store: Pick<Store, 'projection'>,
  run: RunId,
): Promise<readonly string[] | undefined> => (await readConfidential(store, run))?.turns;
