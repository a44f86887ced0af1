import type { LabelledShell } from '@cuebook/prompt';
import { artifactRef } from '../graph/material.js';
import { TEXTS } from '../shipped-texts.js';
import { type ContextPack, packShell } from './context-pack.js';
import { phrase, quoted, stated, told } from './say.js';

/** A text that a handoff refers to, as far as it is told. Plain JSON. */
export type Material = {
  readonly hash: string;
  readonly kind: string;
  readonly text: string;
  /** Of the whole text. */
  readonly chars: number;
};

/** A text that a handoff refers to, as a part of the task payload: an agent or a tool wrote it. */
export function materialShell(material: Material): LabelledShell {
  const pack = material.kind === 'contextpack' ? readPack(material) : undefined;
  if (pack !== undefined) return packShell(pack);
  const { hash, kind, text, chars } = material;
  const isCut = text.length < chars;
  return {
    header: 'ARTIFACT_TEXT',
    fields: [
      { key: 'ref', value: stated(artifactRef(hash), 'artifact') },
      { key: 'kind', value: stated(kind, 'artifact') },
      {
        key: 'told',
        value: isCut
          ? phrase(
              ...TEXTS.fill(
                'task.md#artifact.cut',
                { told: stated(String(text.length), 'artifact'), all: stated(String(chars), 'artifact') },
                'turn',
              ),
            )
          : told('artifact.whole'),
      },
    ],
    body: [quoted(text, { trust: 'agent', ref: artifactRef(hash) })],
    closed: true,
  };
}

/** Undefined: it is no pack, whatever it is called. */
function readPack({ hash, text }: Material): ContextPack | undefined {
  try {
    return { packId: hash, ...(JSON.parse(text) as Omit<ContextPack, 'packId'>) };
  } catch {
    return undefined; // Told as a text then.
  }
}
