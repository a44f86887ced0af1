import { posix } from 'node:path';
import { quote, type Reporter, reporter } from '../diagnostic.js';
import type { DraftPart, DraftText } from '../draft.js';
import type { ReadHow } from '../reader.js';
import { findAtPaths } from '../template/at-paths.js';
import { decodePrompt } from '../text/decode.js';
import type { MappedText } from '../text/mapped.js';
import { nameOfFile } from './instruction.js';

/** How a tool reads `@path` in its instruction files. */
export interface AtRules {
  /** Imports of imports are followed so far. */
  readonly depth: number;
  readonly tool: string;
}

export interface AtImports {
  readonly parts: readonly DraftPart[];
  readonly texts: readonly DraftText[];
}

/**
 * The text of an instruction file with `@path` imports as includes. What is no file of the repository stays as it is
 * written, and is reported where it looks like a path.
 */
export function atImports(
  source: MappedText,
  path: string,
  how: ReadHow,
  report: Reporter,
  rules: AtRules,
): AtImports {
  const texts = new Map<string, DraftText>();
  const parts = read(source, path, [path], { how, report, rules, texts });
  return { parts, texts: [...texts.values()] };
}

interface Reading {
  readonly how: ReadHow;
  readonly report: Reporter;
  readonly rules: AtRules;
  readonly texts: Map<string, DraftText>;
}

function read(
  source: MappedText,
  path: string,
  chain: readonly string[],
  reading: Reading,
): readonly DraftPart[] {
  const { how, report, rules, texts } = reading;
  const parts: DraftPart[] = [];
  let from = 0;
  for (const { start, path: written } of findAtPaths(source.text)) {
    const found = find(written, path, how);
    if (found === undefined) {
      if (/[./]/.test(written) && !/^\w+@|^@?[\w-]+\/[\w-]+$/.test(written))
        report.info(
          'W_IMPORT_REFERENCE',
          source.at(start),
          `${quote(`@${written}`)} names no file of the repository; it stays as it is written`,
        );
      continue;
    }
    if (chain.includes(found.path) || chain.length > rules.depth) {
      const why = chain.includes(found.path)
        ? 'leads back to itself'
        : `is deeper than ${rules.tool} follows`;
      report.warning(
        'W_IMPORT_REFERENCE',
        source.at(start),
        `${quote(`@${written}`)} ${why}; it stays as it is written`,
      );
      continue;
    }
    const name = nameOfFile(found.path);
    if (!texts.has(name)) {
      const inner = reporter(found.path);
      const text = decodePrompt(found.bytes, inner);
      if (text !== undefined) {
        texts.set(name, { name, markdown: text.text });
        const innerParts = read(text, found.path, [...chain, found.path], { ...reading, report: inner });
        if (innerParts.some((part) => 'include' in part)) texts.set(name, { name, parts: innerParts });
      }
      report.found.push(...inner.found);
      if (text === undefined) continue;
    }
    report.info(
      'W_IMPORT_REFERENCE',
      source.at(start),
      `${quote(`@${written}`)} became an include of texts/${name}`,
    );
    if (start > from) parts.push({ text: source.text.slice(from, start) });
    parts.push({ include: name });
    from = start + 1 + found.length;
  }
  if (from < source.text.length) parts.push({ text: source.text.slice(from) });
  return parts.length === 0 ? [{ text: '' }] : parts;
}

/** A file that `@` names: with the full stop or comma behind it when only so there is one. */
function find(written: string, from: string, how: ReadHow) {
  if (/^[~/]|^[A-Za-z]:/.test(written)) return undefined;
  for (const spelled of [written, written.replace(/[.,;:!?)\]}'"]+$/, '')]) {
    const path = posix.normalize(posix.join(posix.dirname(from), spelled));
    if (spelled === '' || path.startsWith('..') || path === '.') continue;
    const bytes = how.file?.(path);
    if (bytes !== undefined) return { path, bytes, length: spelled.length };
  }
  return undefined;
}
