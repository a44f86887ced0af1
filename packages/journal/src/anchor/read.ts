import { guard } from '@cuebook/guard';
import type { PublicKeys } from '../turn/key/key.js';
import { type AnchoredHead, type AnchorLine, readAnchorLine } from './line.js';

/** What an anchor says, all its lines together. */
export interface Anchor {
  readonly project: string | undefined;
  /** By run: where each stood last. */
  readonly heads: ReadonlyMap<string, AnchoredHead>;
  readonly lines: number;
  /** Lines that say nothing, by number from 1. */
  readonly bad: readonly BadAnchorLine[];
  /** The line after which what was anchored before cannot be told: an anchor was missing, and nobody accepted it. */
  readonly begun: AnchorLine | undefined;
}

export interface BadAnchorLine {
  readonly number: number;
  readonly why: 'damaged' | 'signature' | 'key' | 'project' | 'empty' | 'start';
  readonly key?: string;
}

/** Reads an anchor line by line. Each line stands by itself, so a bad one takes only itself away. */
export function readAnchor(text: string, keys: PublicKeys): Anchor {
  const heads = new Map<string, AnchoredHead>();
  const bad: BadAnchorLine[] = [];
  let project: string | undefined;
  let begun: AnchorLine | undefined;
  const lines = text.split('\n');
  const isCut = lines.pop() !== '';
  for (const [index, each] of lines.entries()) {
    const number = index + 1;
    const read = readAnchorLine(each, keys);
    if (!read.ok) {
      bad.push({ number, why: read.why, ...(read.key === undefined ? {} : { key: read.key }) });
      continue;
    }
    const { line } = read;
    // Whoever makes an anchor says first where all runs stand.
    if (index === 0 && guard('verify.anchor-start', line.kind === 'heads'))
      bad.push({ number, why: 'start' });
    project ??= line.project;
    if (line.project !== project) {
      bad.push({ number, why: 'project' });
      continue;
    }
    if (line.kind !== 'heads') heads.clear();
    if (line.kind === 'begun') begun = line;
    if (line.kind === 'accepted') begun = undefined;
    for (const head of line.heads) {
      const known = heads.get(head.run);
      if (known === undefined || known.position <= head.position) heads.set(head.run, head);
    }
  }
  if (isCut) bad.push({ number: lines.length + 1, why: 'damaged' });
  else if (guard('verify.anchor-empty', lines.length === 0)) bad.push({ number: 1, why: 'empty' });
  return { project, heads, lines: lines.length, bad, begun };
}
