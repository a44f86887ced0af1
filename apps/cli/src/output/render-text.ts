import type { RenderDocument, RenderedBlock } from '@cuebook/prompt';
import { diagnosticLine } from './diagnostics.js';
import { count, type Style, screenText } from './style.js';

/** The render document for people: each block under a heading, then what there is to know about it. */
export function renderText(
  document: RenderDocument,
  { style, isTerminal, isCounted, say }: RenderTextOptions,
): string {
  const { blocks, tokens, tools } = document;
  const shown = blocks.map((block) => {
    const body = screenText(block.text, isTerminal).replace(/\n$/, '');
    return `${heading(block, isCounted ? (tokens.byBlock[block.name] ?? 0) : undefined, style)}\n${body}\n`;
  });
  const rows: [string, string][] = [
    [
      'prompt',
      `${document.hash.slice(0, 19)}… ${sizeText(document, isCounted)} in ${count(blocks.length, 'block')}`,
    ],
    ['cache', cacheText(document)],
  ];
  if (tools.length > 0) rows.push(['tools', tools.map(nameOf).join(', ')]);
  for (const [label, pairs] of [
    ['params', document.params],
    ['meta', document.meta ?? {}],
  ] as const) {
    const words = Object.entries(pairs).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    if (words.length > 0) rows.push([label, words.join(' ')]);
  }
  if (document.redactions.length > 0) rows.push(['removed', redactionText(document)]);
  const facts = rows.map(([name, value]) => `${style.dim(name.padEnd(8))}${screenText(value, isTerminal)}\n`);
  const problems = document.diagnostics.map((diagnostic) => say(diagnosticLine(diagnostic, style)));
  return `${shown.join('\n')}\n${facts.join('')}${problems.join('')}`;
}

export interface TextOptions {
  readonly style: Style;
  readonly isTerminal: boolean;
}

export interface RenderTextOptions extends TextOptions {
  /** Whether tokens were counted. */
  readonly isCounted: boolean;
  /** How a line with command lines in it is told. */
  readonly say: (line: string) => string;
}

function sizeText({ tokens, blocks }: RenderDocument, isCounted: boolean): string {
  if (isCounted) return count(tokens.total, 'token');
  return count(
    blocks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    'byte',
  );
}

function heading(
  { name, role, text, hash }: RenderedBlock,
  tokens: number | undefined,
  style: Style,
): string {
  const counted = tokens === undefined ? [] : [count(tokens, 'token')];
  const facts = [role, count(Buffer.byteLength(text), 'byte'), ...counted, hash.slice(0, 15)];
  return style.dim(`── ${name} · ${facts.join(' · ')}`);
}

function cacheText({ cache }: RenderDocument): string {
  const { stablePrefixBytes, brokenBy } = cache;
  const stable = `${count(stablePrefixBytes, 'byte')} stay the same for a session`;
  if (brokenBy === null) return stable;
  const { origin } = brokenBy.span;
  const saves =
    brokenBy.savesBytes === 0
      ? ''
      : `; moving it behind them would keep ${count(brokenBy.savesBytes, 'byte')} more`;
  return `${stable}, then ${origin.kind} ${origin.ref} in block ${brokenBy.block} changes${saves}`;
}

function redactionText({ redactions }: RenderDocument): string {
  const kinds = new Map<string, number>();
  for (const { kind } of redactions) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return [...kinds].map(([kind, times]) => `${kind} ×${times}`).join(', ');
}

const nameOf = (tool: unknown): string =>
  typeof tool === 'object' && tool !== null && 'name' in tool ? String(tool.name) : '(unnamed)';
