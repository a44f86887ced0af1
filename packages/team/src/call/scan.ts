import type { AskedCall } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { type CodeFence, fenceAfter } from './fence.js';
import { type CallRule, MAX_LINE, readForm, type WrittenCall } from './form.js';

/** A call that was found in an answer, with its place. Plain JSON. */
export type ScannedCall = WrittenCall & {
  /** From 1, within its block of text. */
  readonly line: number;
  readonly block: number;
};

/** A line that was almost a call, or an example of one. What the agent is told about it. */
export type CallNote = {
  readonly rule: CallRule;
  readonly line: number;
  readonly block: number;
  readonly message: string;
  /** The beginning of the line. */
  readonly sample: string;
};

/** What an answer holds. */
export interface Scanned {
  readonly calls: readonly ScannedCall[];
  readonly notes: readonly CallNote[];
  /** The answer without the lines that are calls; blocks stand apart by a blank line. */
  readonly text: string;
}

/** Takes the text of one turn as it comes. */
export interface CallScanner {
  /** Takes more of a block of text and answers what became whole with it. */
  push(block: number, text: string): Pick<Scanned, 'calls' | 'notes'>;
  /** Ends every block. Calls are in the order of blocks and lines, however the text came in. */
  end(): Scanned;
}

/** Calls and notes of one answer that are kept; what comes behind is text. */
const MAX_CALLS = 256;
const MAX_NOTES = 64;
const SAMPLE = 120;

/**
 * Finds the calls in all the text of a turn, as it streams. A block ends where a native tool is used or the turn
 * ends; a line never goes on in another block, and neither does a fence.
 */
export function createCallScanner(): CallScanner {
  const blocks = new Map<number, BlockScan>();
  return {
    push(block, text) {
      const scan = blocks.get(block) ?? createBlockScan(block);
      blocks.set(block, scan);
      return scan.push(text);
    },
    end() {
      const all = [...blocks.values()].map((scan) => scan.end());
      return {
        calls: all.flatMap(({ calls }) => calls).slice(0, MAX_CALLS),
        notes: all.flatMap(({ notes }) => notes).slice(0, MAX_NOTES),
        text: all
          .map(({ text }) => text)
          .filter((text) => text !== '')
          .join('\n\n'),
      };
    },
  };
}

/** The calls of an answer whose text blocks are whole. */
export function scanBlocks(blocks: readonly string[]): Scanned {
  const scanner = createCallScanner();
  blocks.forEach((text, block) => {
    scanner.push(block, text);
  });
  return scanner.end();
}

/** A call as the engine plans it. */
export const toAskedCall = ({ id, name, args }: ScannedCall): AskedCall => ({ id, name, input: args });

/** Whether a call stands in what a command printed. Only the wrapped form counts: data may look like the bare one. */
export function hasCall(output: string): boolean {
  if (!/tool_call|\\u/.test(output)) return false;
  const found = output.split('\n').some((line) => line.length <= MAX_LINE && readForm(line).kind === 'call');
  return guard('call.output', found);
}

interface BlockScan {
  push(text: string): Pick<Scanned, 'calls' | 'notes'>;
  end(): Scanned;
}

function createBlockScan(block: number): BlockScan {
  const calls: ScannedCall[] = [];
  const notes: CallNote[] = [];
  const kept: string[] = [];
  let parts: string[] = [];
  let size = 0;
  let line = 0;
  let fence: CodeFence | null = null;

  const note = (rule: CallRule, message: string, text: string): void => {
    if (notes.length >= MAX_NOTES) return;
    notes.push({ rule, line, block, message, sample: sampleOf(text) });
  };
  /** A line that is longer than any call stays in the answer; what of it is a call is not found. */
  const readLong = (text: string): void => {
    kept.push(text);
    if (/^[ \t]*\{\s*"tool_?call"/i.test(text.slice(0, 200)))
      note(
        'length',
        `The line is longer than ${MAX_LINE} characters. Split the work into smaller calls.`,
        text,
      );
  };
  const readLine = (text: string): void => {
    line += 1;
    if (guard('call.length', text.length > MAX_LINE)) {
      readLong(text);
      return;
    }
    const isFenced = guard('call.fence', fence !== null);
    fence = fenceAfter(fence, text);
    const form = readForm(text);
    if (form.kind === 'call' && !isFenced && calls.length < MAX_CALLS) {
      calls.push({ ...form.call, line, block });
      return;
    }
    kept.push(text);
    if (form.kind !== 'text' && isFenced) note('fence', FENCED, text);
    else if (form.kind === 'near') note(form.rule, form.message, text);
  };
  const closeLine = (): void => {
    readLine(parts.join(''));
    parts = [];
    size = 0;
  };
  /** Past the bound only the size is kept growing, so that a line without end costs no memory. */
  const hold = (text: string): void => {
    const room = MAX_LINE + 1 - size;
    if (room > 0) parts.push(text.slice(0, room));
    size += text.length;
  };
  return {
    push(text) {
      const [first, second] = [calls.length, notes.length];
      const pieces = text.split('\n');
      pieces.forEach((piece, index) => {
        hold(piece);
        if (index < pieces.length - 1) closeLine();
      });
      return { calls: calls.slice(first), notes: notes.slice(second) };
    },
    end() {
      if (size > 0) closeLine();
      return { calls, notes, text: kept.join('\n').trim() };
    },
  };
}

const FENCED =
  'This call stands in a code fence, so it was taken for an example and not run. To run it, write it outside of any fence.';

const sampleOf = (text: string): string => {
  const line = text.slice(0, SAMPLE * 2).trim();
  return line.length <= SAMPLE ? line : `${line.slice(0, SAMPLE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
};
