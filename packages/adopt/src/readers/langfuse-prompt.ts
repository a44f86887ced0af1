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
  readonly prompts: PromptIndex;
  readonly texts: Map<string, DraftText>;
  /** Texts with their references resolved, by name and version. */
  readonly expanded: Map<string, Expanded>;
  /** Texts that are referred to as parts, by the name of the text; undefined: it cannot be kept. */
  readonly parts: Map<string, readonly DraftPart[] | undefined>;
}

/** The prompts of a file, as references name them. */
export interface PromptIndex {
  readonly find: (name: string, by: 'version' | 'label', which: string) => LangfusePrompt | undefined;
  /** The highest version of a name. */
  readonly newest: (name: string) => number | undefined;
}

export function promptIndex(prompts: readonly LangfusePrompt[]): PromptIndex {
  const found = new Map<string, LangfusePrompt>();
  const newest = new Map<string, number>();
  const add = (key: string, prompt: LangfusePrompt): void => {
    if (!found.has(key)) found.set(key, prompt);
  };
  for (const prompt of prompts) {
    const { name, version, labels } = prompt;
    newest.set(name, Math.max(newest.get(name) ?? version, version));
    add(keyOf(name, 'version', String(version)), prompt);
    for (const label of labels) add(keyOf(name, 'label', label), prompt);
  }
  return {
    find: (name, by, which) => found.get(keyOf(name, by, which)),
    newest: (name) => newest.get(name),
  };
}

const keyOf = (...words: readonly string[]): string => JSON.stringify(words);
