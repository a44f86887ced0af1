import type { IncludePart, Labels, Piece, Place, Role, Slot } from '@cuebook/prompt';
import type { YamlSource } from '@cuebook/yaml';
import type { Sheet, SheetHistory, SheetPart } from './schema.js';

/** Text in the project's own files: written by its authors, the same until the next build. */
export const AUTHORED: Labels = { trust: 'author', secrecy: 'public', volatility: 'build' };

/** A part, and the path of its value in the YAML: of the text itself, of the name that is included or handed in. */
export interface PlacedPart {
  readonly part: SheetPart;
  readonly path: readonly PropertyKey[];
}

/** One message that the author writes: a block, or one side of an example. Of a sheet that fits in part, what fits. */
export interface SheetMessage {
  readonly name: string;
  readonly role: Role;
  readonly parts: readonly PlacedPart[];
  /** Where the message stands. */
  readonly path: readonly PropertyKey[];
  /** Whether an author named it. */
  readonly isNamed: boolean;
  /** Whether it is left out when all of its text is white space. */
  readonly omitsBlank?: boolean;
}

/** Earlier messages, and where they are asked for. */
export interface HistoryEntry extends SheetHistory {
  readonly path: readonly PropertyKey[];
}

export type SheetEntry = { readonly message: SheetMessage } | { readonly history: HistoryEntry };

/** What a sheet says, in order: an example is two messages. */
export function entriesOf({ blocks }: Sheet): readonly SheetEntry[] {
  let examples = 0;
  return blocks.flatMap((entry, b): readonly SheetEntry[] => {
    const path = ['blocks', b];
    if ('history' in entry) return [{ history: { ...entry.history, path: [...path, 'history'] } }];
    if ('examples' in entry) {
      return entry.examples.flatMap((example, e): readonly SheetEntry[] => {
        examples += 1;
        return (['user', 'assistant'] as const).flatMap((role): readonly SheetEntry[] => {
          if (example[role] === undefined) return [];
          const at = [...path, 'examples', e, role];
          const parts = placedParts(example[role], at);
          return [
            { message: { name: `example ${examples} ${role}`, role, parts, path: at, isNamed: false } },
          ];
        });
      });
    }
    // A block of a sheet that fits in part may lack its name or role.
    const { name, role, blank, parts } = entry as Partial<typeof entry>;
    const message: SheetMessage = {
      name: name ?? `block ${b + 1}`,
      role: role ?? 'user',
      parts: placedParts(parts ?? [], [...path, 'parts']),
      path,
      isNamed: name !== undefined,
      ...(blank === 'omit' ? { omitsBlank: true } : {}),
    };
    return [{ message }];
  });
}

/** The messages that the author of a sheet writes. */
export const messagesOf = (sheet: Sheet): readonly SheetMessage[] =>
  entriesOf(sheet).flatMap((entry) => ('message' in entry ? [entry.message] : []));

/** The earlier messages that a sheet takes. */
export const historiesOf = (sheet: Sheet): readonly HistoryEntry[] =>
  entriesOf(sheet).flatMap((entry) => ('history' in entry ? [entry.history] : []));

/** Each part with its path; holes of a list that fits in part are passed over. */
export function placedParts(
  written: string | readonly SheetPart[],
  path: readonly PropertyKey[],
): readonly PlacedPart[] {
  if (typeof written === 'string') return [{ part: { text: written }, path }];
  return written.flatMap((part, p) => [{ part, path: [...path, p, kindOf(part)] }]);
}

const kindOf = (part: SheetPart): string => Object.keys(part)[0] ?? '';

/** An input in a text, to be filled in with what the caller hands in. */
export interface InputSlot extends Slot {
  readonly slot: 'input';
  readonly name: string;
  /** Where it is written. */
  readonly at: Place;
}

/** A template in a text, to be executed with what the caller hands in. */
export interface TemplateSlot extends Slot {
  readonly slot: 'template';
  /** Its text. */
  readonly pieces: readonly Piece[];
  /** Where it is written. */
  readonly at: Place;
}

export type OpenSlot = InputSlot | TemplateSlot;

/** What sheets and texts are made of before anything is handed in. */
export type OpenPart = IncludePart | OpenSlot;

/** A part as the kernel takes it. */
export function openParts({ part, path }: PlacedPart, yaml: YamlSource): readonly OpenPart[] {
  if ('include' in part) return [{ include: part.include, at: yaml.place(path) }];
  if ('input' in part) return [{ slot: 'input', name: part.input, at: yaml.place(path) }];
  const pieces = yaml.pieces(path, AUTHORED);
  return 'template' in part ? [{ slot: 'template', pieces, at: yaml.place(path) }] : pieces;
}
