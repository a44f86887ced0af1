import {
  type BlockInput,
  cutPieces,
  decodedOrigin,
  type JsonValue,
  nameTools,
  type Piece,
} from '@cuebook/prompt';
import { WORKFLOW_TOOLS } from '../tool/catalog.js';

/** How the tools of a request are named in it: the same in words, definitions, calls and results. */
export interface Spelling {
  readonly kind: 'own' | 'wire';
  /** What a tool is called. */
  name(tool: string): string;
  /** Words of ours, with the tools that they name called so. */
  words(text: string): string;
  /** The same of a piece: what is called otherwise has the place of its own name. */
  piece(piece: Piece): readonly Piece[];
}

/** Tools by their own names: for whoever can call `fs.read`. */
export const OWN_SPELLING: Spelling = {
  kind: 'own',
  name: (tool) => tool,
  words: (text) => text,
  piece: (piece) => [piece],
};

/** Tools by names that every model API takes: `fs_read`. The order is that of the request. */
export function wireSpelling(tools: readonly string[]): Spelling {
  const { toWire } = nameTools(tools);
  const known = [...new Set([...tools, ...OUR_NAMES])].sort((a, b) => b.length - a.length);
  const mention = new RegExp(`(?<![\\w.@/-])(?:${known.map(escapeName).join('|')})(?![\\w/-])`, 'g');
  return {
    kind: 'wire',
    name: toWire,
    words: (text) => text.replace(mention, (tool) => toWire(tool)),
    piece: (piece) => {
      const out: Piece[] = [];
      let from = 0;
      for (const { 0: tool, index } of piece.text.matchAll(mention)) {
        const end = index + tool.length;
        const [name] = cutPieces([piece], index, end);
        if (name === undefined || toWire(tool) === tool) continue;
        out.push(...cutPieces([piece], from, index));
        out.push({ ...name, text: toWire(tool), origin: decodedOrigin(name.origin) });
        from = end;
      }
      return from === 0 ? [piece] : [...out, ...cutPieces([piece], from, piece.text.length)];
    },
  };
}

/** What our own words name, also where it is not offered. */
const OUR_NAMES = WORKFLOW_TOOLS.map(({ name }) => name);

const escapeName = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A block with its calls and our own words spelled; text of anybody else keeps its bytes. */
export function spellBlock(block: BlockInput, spelling: Spelling): BlockInput {
  if (spelling.kind === 'own') return block;
  const { calls } = block;
  return {
    ...block,
    pieces: block.pieces.flatMap((piece) =>
      piece.origin.kind === 'shipped' ? spelling.piece(piece) : [piece],
    ),
    ...(calls === undefined
      ? {}
      : { calls: calls.map((call) => ({ ...call, name: spelling.name(call.name) })) }),
  };
}

/** A result with what we say in it spelled: hints, and why a call failed. What was read or found keeps its bytes. */
export function spellResult(text: string, spelling: Spelling): string {
  if (spelling.kind === 'own' || !/"(?:hint|error|tool)":/.test(text)) return text;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
  if (!isRecord(value)) return text;
  const { hint, error, tool } = value;
  const spelled = {
    ...value,
    ...(typeof hint === 'string' ? { hint: spelling.words(hint) } : {}),
    ...(typeof tool === 'string' && value.condensed === true ? { tool: spelling.name(tool) } : {}),
    ...(isRecord(error) && typeof error.message === 'string' && error.code !== 'MCP_TOOL_ERROR'
      ? { error: { ...error, message: spelling.words(error.message) } }
      : {}),
  };
  return JSON.stringify(spelled);
}

const isRecord = (value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
