import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { PromptData } from '../shape/prompt-shape.js';

/** A prompt by name, also one that fits only in part. */
export const anyPrompt = (catalog: Catalog, name: string): DefinitionEntry<PromptData> | undefined =>
  catalog.prompts.get(name) ?? catalog.sketches.prompts.find((entry) => entry.name === name);

/** Whether a list has no holes: `filter` passes over them. */
export const isWhole = (items: readonly unknown[]): boolean =>
  items.filter(() => true).length === items.length;
