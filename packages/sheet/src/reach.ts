import type { Message, OpenPart } from './part.js';
import { openParts } from './part.js';
import type { SheetSource } from './source.js';

/** The parts of a message and of every text that it can reach, each text once. Cycles end where they close. */
export function openPartsReached(
  { yaml, texts }: Pick<SheetSource, 'yaml' | 'texts'>,
  { parts }: Message,
): readonly OpenPart[] {
  const reached: OpenPart[] = parts.flatMap((part) => openParts(part, yaml));
  const asked = new Set<string>();
  for (let at = 0; at < reached.length; at += 1) {
    const part = reached[at] as OpenPart;
    if (!('include' in part) || asked.has(part.include)) continue;
    asked.add(part.include);
    for (const each of texts.get(part.include) ?? []) reached.push(each);
  }
  return reached;
}
