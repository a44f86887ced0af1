import type { LabelledShell, Trust } from '@cuebook/prompt';
import { phrase, quoted, stated } from './say.js';

/** What a node should know before it starts, kept as an artifact and referred to by handoffs. Plain JSON. */
export type ContextPack = {
  readonly packId: string;
  /** Who put it together: `agent` when a node did. */
  readonly by: 'author' | 'agent';
  readonly goal: string;
  readonly definitionOfDone: readonly string[];
  readonly constraints: readonly string[];
  readonly docRefs: readonly { readonly path: string; readonly excerpt?: string }[];
  readonly relevantFiles: readonly { readonly path: string; readonly summary?: string }[];
  readonly repoFacts: readonly string[];
  readonly inputs: readonly string[];
  readonly artifacts: readonly { readonly id: string; readonly kind: string }[];
};

/** How a handoff refers to a pack. */
export const packRef = ({ packId }: Pick<ContextPack, 'packId'>): string => `contextpack://${packId}`;

/** Tokens of a pack when nobody says otherwise. */
export const DEFAULT_PACK_TOKENS = 4_000;

/** The bound of a pack, and how it is counted. */
export interface FitPackOptions {
  readonly maxTokens?: number;
  readonly count: (text: string) => number;
}

/** A pack within its bound. */
export interface FittedPack {
  readonly pack: ContextPack;
  readonly tokens: number;
  /** Items that had no room, excerpts and summaries included. */
  readonly leftOut: number;
}

/**
 * The pack within its bound. References stay before excerpts: first goal, definition of done and constraints, then
 * every path, then facts, then as many excerpts and summaries as there is room for, in their own order.
 */
export function fitContextPack(
  pack: ContextPack,
  { maxTokens = DEFAULT_PACK_TOKENS, count }: FitPackOptions,
): FittedPack {
  let tokens = 0;
  let leftOut = 0;
  const fits = (text: string): boolean => {
    const cost = count(text) + ITEM_TOKENS;
    const isIn = tokens + cost <= maxTokens;
    if (isIn) tokens += cost;
    else leftOut += 1;
    return isIn;
  };
  const goal = fits(pack.goal) ? pack.goal : '';
  const definitionOfDone = pack.definitionOfDone.filter(fits);
  const constraints = pack.constraints.filter(fits);
  const docs = pack.docRefs.filter(({ path }) => fits(path));
  const files = pack.relevantFiles.filter(({ path }) => fits(path));
  const artifacts = pack.artifacts.filter(({ id, kind }) => fits(`${kind} ${id}`));
  const inputs = pack.inputs.filter(fits);
  const repoFacts = pack.repoFacts.filter(fits);
  const docRefs = docs.map(({ path, excerpt }) =>
    excerpt !== undefined && fits(excerpt) ? { path, excerpt } : { path },
  );
  const relevantFiles = files.map(({ path, summary }) =>
    summary !== undefined && fits(summary) ? { path, summary } : { path },
  );
  const { packId, by } = pack;
  const fitted = {
    packId,
    by,
    goal,
    definitionOfDone,
    constraints,
    docRefs,
    relevantFiles,
    repoFacts,
    inputs,
    artifacts,
  };
  return { pack: fitted, tokens, leftOut };
}

/** What an item costs beside its text: its line and its mark. */
const ITEM_TOKENS = 4;

/** The pack as a part of the task payload. */
export function packShell(pack: ContextPack): LabelledShell {
  const trust: Trust = pack.by;
  const say = (text: string) => quoted(text, { trust, ref: packRef(pack), volatility: 'session' });
  const mark = (text: string) => stated(text, 'context pack', 'session');
  /** Each item by its number; its texts are told apart, so that each is cleaned on its own. */
  const list = (key: string, items: readonly (readonly (string | undefined)[])[]) => ({
    key,
    value: items.map(([text = '', note], index) =>
      phrase(mark(`[${index + 1}] `), say(text), ...(note === undefined ? [] : [mark(': '), say(note)])),
    ),
  });
  const plain = (key: string, items: readonly string[]) =>
    list(
      key,
      items.map((item) => [item]),
    );
  return {
    header: 'CONTEXT_PACK',
    fields: [
      { key: 'ref', value: stated(packRef(pack), 'context pack', 'session') },
      { key: 'goal', value: say(pack.goal) },
      plain('done', pack.definitionOfDone),
      plain('constraints', pack.constraints),
      list(
        'docs',
        pack.docRefs.map(({ path, excerpt }) => [path, excerpt]),
      ),
      list(
        'files',
        pack.relevantFiles.map(({ path, summary }) => [path, summary]),
      ),
      plain('facts', pack.repoFacts),
      plain('inputs', pack.inputs),
      plain(
        'artifacts',
        pack.artifacts.map(({ id, kind }) => `${kind} artifact://${id}`),
      ),
    ],
    closed: true,
  };
}
