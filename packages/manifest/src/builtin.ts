import { cutPieces, type Piece } from '@cuebook/prompt';
import { type Fragment, LIBRARY_LABELS, type TextObject } from './object.js';
import { TEXTS } from './shipped-texts.js';

/** The ConfigMap of the built-in prompts. */
export const BUILTIN_NAME = 'cuebook-builtin-prompts';

/** Grows by one whenever a word of the built-in prompts changes. */
export const BUILTIN_VERSION = 1;

/** The same words under the name of their version: they never change. */
export const BUILTIN_PINNED_NAME = `${BUILTIN_NAME}-v${BUILTIN_VERSION}`;

/** The name that kagent gives to its own, which has the same keys. */
export const KAGENT_BUILTIN_NAME = 'kagent-builtin-prompts';

/** The built-in prompts by key. Each ends with a line break, as a literal block in YAML does. */
export const BUILTIN_PROMPTS: Readonly<Record<string, string>> = TEXTS.record(
  [
    'skills-usage',
    'tool-usage-best-practices',
    'safety-guardrails',
    'kubernetes-context',
    'a2a-communication',
  ],
  (key) => `${key}.md`,
);

/** The built-in prompts as the object that a template includes from. */
export function builtinObject(name: string, namespace: string): TextObject {
  const fragments = new Map<string, Fragment>();
  for (const key of Object.keys(BUILTIN_PROMPTS)) {
    const { origin, ...piece } = TEXTS.piece(`${key}.md`);
    fragments.set(key, { ...piece, place: origin, pieces: () => linesOf(TEXTS.piece(`${key}.md`)) });
  }
  return { kind: 'ConfigMap', namespace, name, fragments, hidden: new Map(), isShipped: true };
}

/** One piece a line, as the pieces of a file are. */
function linesOf(piece: Piece): readonly Piece[] {
  let from = 0;
  return (piece.text.match(/[^\n]*\n|[^\n]+$/g) ?? []).flatMap((line) => {
    from += line.length;
    return cutPieces([piece], from - line.length, from);
  });
}

export interface BuiltinOptions {
  /** Under the name of its version, and immutable: an Agent that names it keeps these words. */
  readonly isPinned?: boolean;
}

/** The ConfigMap to apply in a cluster, one in each namespace that has Agents: references are namespace-local. */
export const builtinConfigMap = (namespace: string, { isPinned = false }: BuiltinOptions = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: isPinned ? BUILTIN_PINNED_NAME : BUILTIN_NAME,
    namespace,
    labels: { [LIBRARY_LABELS[0]]: 'true' },
    annotations: { 'cuebook.dev/prompt-version': String(BUILTIN_VERSION) },
  },
  ...(isPinned ? { immutable: true } : {}),
  data: BUILTIN_PROMPTS,
});
