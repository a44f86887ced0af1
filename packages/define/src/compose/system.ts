import { guard } from '@cuebook/guard';
import type { Composed } from '@cuebook/profile';
import {
  type BlockInput,
  type IncludePart,
  isBelow,
  type Labels,
  type Piece,
  resolveIncludes,
  shellPieces,
} from '@cuebook/prompt';
import type { Declarations } from '../check/variables.js';
import { secretDeclaration } from '../check/variables.js';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { PromptData } from '../shape/prompt-shape.js';
import { TEXTS } from '../shipped-texts.js';
import { type Environment, LAYER_LABELS } from './environment.js';
import { includeDiagnostic, missingVariable } from './problems.js';

/** Text in the project's own files: written by its authors, the same until the next build. */
const AUTHORED = { trust: 'author', secrecy: 'public', volatility: 'build' } as const;

/** The header of the fence around a variable's value that is less trusted than the operator. */
export const VARIABLE_HEADER = 'VARIABLE_VALUE';

export interface SystemInput {
  readonly catalog: Catalog;
  readonly declarations: Declarations;
  readonly prompt: DefinitionEntry<PromptData>;
  readonly environment: Environment;
}

type Failed = Extract<Composed, { ok: false }>;

/**
 * The system block of a prompt: its text with all includes in place and nothing between. Values of variables
 * that a user or a tool could have set do not stand in a system-role block: their place names them, and a
 * user-role block behind it holds them in a fence.
 */
export function systemBlocks(
  input: SystemInput,
): { readonly ok: true; readonly blocks: readonly BlockInput[] } | Failed {
  const { catalog, prompt } = input;
  const fenced = new Map<string, Piece>();
  const lookup = (name: string): readonly IncludePart[] | undefined => {
    if (name.startsWith(VARIABLE)) return variableParts(input, name.slice(VARIABLE.length), fenced);
    const entry = catalog.prompts.get(name);
    return entry === undefined ? undefined : partsOf(entry);
  };
  const resolved = resolveIncludes(partsOf(prompt), lookup);
  if (!resolved.ok) {
    const { error } = resolved;
    const isVariable = error.code === 'E_INCLUDE_UNKNOWN' && error.name.startsWith(VARIABLE);
    const diagnostic = isVariable
      ? missingVariable(error.name.slice(VARIABLE.length), error.at)
      : includeDiagnostic(error);
    return { ok: false, diagnostics: [diagnostic] };
  }
  const system: BlockInput = { name: 'system', role: 'system', pieces: resolved.value };
  if (fenced.size === 0) return { ok: true, blocks: [system] };
  const pieces = [...fenced].flatMap(([name, value], index) => [
    ...(index === 0 ? [] : [between('\n\n')]),
    ...shellPieces({
      header: VARIABLE_HEADER,
      fields: [{ key: 'name', value: between(name) }],
      body: [value],
      closed: true,
    }),
  ]);
  return { ok: true, blocks: [system, { name: 'variables', role: 'user', pieces }] };
}

/** The header of the fence around words of a hook that nobody vouches for. */
export const HOOK_HEADER = 'HOOK_WORDS';

/**
 * The blocks of a prompt whose system text hooks have changed. Words below the operator do not stand in a system-role
 * block: their place names them, and a user-role block behind holds them in a fence.
 */
export function hookedBlocks(
  [system, ...behind]: readonly BlockInput[],
  pieces: readonly Piece[],
): readonly BlockInput[] {
  if (system === undefined) return behind;
  const kept: Piece[] = [];
  const fenced: Piece[][] = [];
  let open: Piece[] | undefined;
  for (const piece of pieces) {
    if (!guard('compose.hooked', isBelow(piece.trust, 'operator'))) {
      kept.push(piece);
      open = undefined;
    } else if (open !== undefined) open.push(piece);
    // A break between two texts says nothing, whoever made it.
    else if (/^[ \n]{1,3}$/.test(piece.text)) kept.push(between(piece.text));
    else {
      open = [piece];
      fenced.push(open);
      kept.push(...TEXTS.fill('conversation.md#below.hook', { number: between(String(fenced.length)) }));
    }
  }
  const changed = { ...system, pieces: kept };
  if (fenced.length === 0) return [changed, ...behind];
  const shells = fenced.flatMap((body, index) => [
    ...(index === 0 ? [] : [between('\n\n')]),
    ...shellPieces({
      header: HOOK_HEADER,
      fields: [{ key: 'number', value: between(String(index + 1)) }],
      body,
      closed: true,
    }),
  ]);
  return [changed, ...behind, { name: 'hook-words', role: 'user', pieces: shells }];
}

/** What a prompt's own content is made of. A variable is an include of a name that no prompt can have. */
function partsOf(entry: DefinitionEntry<PromptData>): readonly IncludePart[] {
  const known = PARTS.get(entry);
  if (known !== undefined) return known;
  const { prompt } = entry.data;
  const { pieces, place } = entry.source;
  const parts =
    typeof prompt === 'string'
      ? pieces(['prompt'], prompt, AUTHORED)
      : prompt.flatMap((part, index): readonly IncludePart[] => {
          if (part.type === 'text') return pieces(['prompt', index, 'content'], part.content, AUTHORED);
          const include = part.type === 'include' ? part.prompt : `${VARIABLE}${part.property}`;
          return [{ include, at: place(['prompt', index]) }];
        });
  PARTS.set(entry, parts);
  return parts;
}

/** An entry never changes, and many prompts include the same one. */
const PARTS = new WeakMap<DefinitionEntry<PromptData>, readonly IncludePart[]>();

const VARIABLE = 'variable ';

function variableParts(
  { declarations, environment }: SystemInput,
  name: string,
  fenced: Map<string, Piece>,
): readonly Piece[] | undefined {
  const won = environment.resolve(name);
  if (won === undefined) {
    const isRequired = declarations.get(name)?.some(({ variable }) => variable.required) ?? true;
    return isRequired ? undefined : [];
  }
  const isSecret = guard('compose.secret', secretDeclaration(declarations, name) !== undefined);
  const labels: Labels = {
    secrecy: isSecret ? 'secret' : 'public',
    ...LAYER_LABELS[won.layer],
    ...(won.isComputed ? { trust: 'tool' as const } : {}),
  };
  const subject = `variable ${name}`;
  const written = won.pieces?.(labels).map((piece) => ({ ...piece, origin: { ...piece.origin, subject } }));
  const at = won.at && { ...won.at, subject: name };
  const handed: Piece = { text: won.value, origin: { kind: 'variable', ref: name, ...at }, ...labels };
  // A secret stays where it is, so that the gate refuses it.
  if (isSecret || !guard('compose.fence', isBelow(labels.trust, 'operator'))) return written ?? [handed];
  fenced.set(name, handed);
  return TEXTS.fill('conversation.md#below.variable', { name: between(name) });
}

/** Marks that hold texts together, and what they count. */
const between = (text: string): Piece => ({
  text,
  origin: { kind: 'structure', ref: 'fence' },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
});
