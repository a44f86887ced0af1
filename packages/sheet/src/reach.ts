import type { OpenPart, SheetMessage } from './part.js';
import { openParts } from './part.js';
import type { SheetSource } from './source.js';
import { includesIn } from './template/parse.js';

/** The parts of a message and of every text that it can reach, each text once. Cycles end where they close. */
export function openPartsReached(
  { yaml, texts }: Pick<SheetSource, 'yaml' | 'texts'>,
  { parts }: SheetMessage,
): readonly OpenPart[] {
  const reached: OpenPart[] = parts.flatMap((part) => openParts(part, yaml));
  const asked = new Set<string>();
  for (let at = 0; at < reached.length; at += 1) {
    const part = reached[at] as OpenPart;
    for (const { include } of includesIn(part)) {
      if (asked.has(include)) continue;
      asked.add(include);
      for (const each of texts.get(include) ?? []) reached.push(each);
    }
  }
  return reached;
}
