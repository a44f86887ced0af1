/** What a prompt must never tell. A redactor compiles it once. */
export interface LeakContext {
  /** Known roots and the mount alias that stands for each. The longest matching root wins. */
  readonly roots: readonly (readonly [alias: string, path: string])[];
  /** Path prefixes that must never be named: homes, stores, temp folders. */
  readonly private: readonly string[];
  /** User names and host names. Short and common ones count only inside a home path. */
  readonly names: readonly string[];
  /** Known secret values, exact. They are found encoded too. */
  readonly credentials?: readonly string[];
  /** Path prefixes that look private but may be told. */
  readonly public?: readonly string[];
}

export type ReplacementKind = 'root' | 'path' | 'name' | 'credential';

/** One edit: `text` stands for the UTF-16 units `[start, end)` of the input. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: ReplacementKind;
  /** Found by the context (true) or only by its shape (false). */
  readonly known: boolean;
}

/** A known secret that is still in a text, in UTF-16 units. It says what kind and where, never what. */
export interface Leak {
  readonly kind: ReplacementKind;
  readonly start: number;
  readonly end: number;
}

/** Any value that `JSON.parse` can answer. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** What stands where a path, a name or a credential was. */
export const placeholderOf = (kind: Exclude<ReplacementKind, 'root'>): string => `[removed:${kind}]`;
