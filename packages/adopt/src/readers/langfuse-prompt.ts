import type { InputBook } from '../build.js';
import type { Reporter } from '../diagnostic.js';
import type { DraftPart, DraftText } from '../draft.js';
import type { ReadHow } from '../reader.js';
import type { JsonDocument, PlacedJson } from '../text/json.js';
import type { Versioned } from './versions.js';

/** One version of one prompt. */
export interface LangfusePrompt extends Versioned {
  readonly node: PlacedJson;
  readonly type: 'text' | 'chat';
  readonly prompt: PlacedJson;
}

/** A text with its references resolved, and how many there were. */
export interface Expanded {
  readonly text: string;
  readonly count: number;
}

/** A file that is being read, and what was made of it so far. */
export interface LangfuseReading {
  readonly json: JsonDocument;
  readonly how: ReadHow;
  readonly report: Reporter;
  readonly book: InputBook;
  readonly prompts: readonly LangfusePrompt[];
  readonly texts: Map<string, DraftText>;
  /** Texts with their references resolved, by name and version. */
  readonly expanded: Map<string, Expanded>;
  /** Texts that are referred to as parts, by the name of the text; undefined: it cannot be kept. */
  readonly parts: Map<string, readonly DraftPart[] | undefined>;
}
