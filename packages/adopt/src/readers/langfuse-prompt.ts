import type { InputBook } from '../build.js';
import type { Reporter } from '../diagnostic.js';
import type { DraftText } from '../draft.js';
import type { ReadHow } from '../reader.js';
import type { JsonDocument, JsonNode } from '../text/json.js';
import type { Versioned } from './versions.js';

/** One version of one prompt. */
export interface LangfusePrompt extends Versioned {
  readonly node: JsonNode;
  readonly type: 'text' | 'chat';
  readonly prompt: JsonNode;
}

/** A file that is being read, and what was made of it so far. */
export interface Reading {
  readonly json: JsonDocument;
  readonly how: ReadHow;
  readonly report: Reporter;
  readonly book: InputBook;
  readonly prompts: readonly LangfusePrompt[];
  readonly texts: Map<string, DraftText>;
  /** Texts with their references resolved, by name and version. */
  readonly expanded: Map<string, string>;
}
