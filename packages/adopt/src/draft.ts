import type { AdoptDiagnostic } from './diagnostic.js';
import { type GoPieces, goInputs } from './template/go.js';
import type { LineColumn } from './text/mapped.js';

/** A part of a block or text that import made. */
export type DraftPart =
  | { readonly text: string }
  | { readonly include: string }
  | { readonly input: string }
  | { readonly template: GoPieces };

export type DraftRole = 'system' | 'user' | 'assistant' | 'tool';

/** One message, or the place of earlier ones. */
export type DraftBlock =
  | {
      readonly name: string;
      readonly role: DraftRole;
      /** Left out when all of its text is white space. */
      readonly blank?: 'omit';
      readonly parts: readonly DraftPart[];
    }
  | { readonly history: { readonly name: string; readonly required?: boolean } };

/** An input that nobody has labelled yet. */
export interface DraftInput {
  readonly description?: string;
  readonly example?: string;
  readonly required: boolean;
  readonly trust?: string;
  /** Handed in as JSON, because a template looks at it. */
  readonly type?: 'json';
  /** What the source calls it, where that is another name. */
  readonly sourceName?: string;
  /** Where the source first names it. */
  readonly file: string;
  readonly at: LineColumn | undefined;
}

export interface DraftTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** A sheet as import made it. */
export interface DraftSheet {
  readonly name: string;
  readonly title?: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly tools: readonly DraftTool[];
  readonly capabilities: readonly string[];
  /** The form that the answer must have. */
  readonly answer?: { readonly schema: Readonly<Record<string, unknown>>; readonly name?: string };
  readonly inputs: ReadonlyMap<string, DraftInput>;
  readonly blocks: readonly DraftBlock[];
}

/** A text that sheets include: Markdown as it stands, or parts. */
export type DraftText =
  | { readonly name: string; readonly markdown: string }
  | { readonly name: string; readonly parts: readonly DraftPart[] };

/** A file of cases for `cuebook test`. */
export interface DraftCases {
  readonly name: string;
  readonly target: string;
  /** Answers to each case, in a file for `cuebook eval`: its cases need nobody who answers. */
  readonly takes?: number;
  readonly cases: readonly Readonly<Record<string, unknown>>[];
}

/** What a reader made of a source. */
export interface ImportDraft {
  readonly sheets: readonly DraftSheet[];
  readonly texts: readonly DraftText[];
  readonly cases: readonly DraftCases[];
  readonly diagnostics: readonly AdoptDiagnostic[];
}

/** The inputs that a part names. */
export function inputsOf(part: DraftPart): readonly string[] {
  if ('input' in part) return [part.input];
  return 'template' in part ? [...goInputs(part.template).all] : [];
}
