import type { GatedRequest, JsonValue } from '@cuebook/prompt';
import { z } from 'zod';
import { parseLine } from '../agent/fields.js';
import type { Access, ApprovalAnswer, ToolAnswer } from '../turn.js';

/** What we write: one JSON object a line, told apart by `kind`. */
export type LineIn =
  | {
      readonly kind: 'prompt';
      readonly prompt: string;
      /** `delta` in a session that goes on: only what is new. */
      readonly promptKind: 'full' | 'delta';
      readonly turnId: string;
      /** The same for all turns of a session, in whichever process. */
      readonly sessionId: string;
      readonly model?: string;
      readonly access?: Access;
      readonly tools?: GatedRequest['tools'];
    }
  | ({ readonly kind: 'toolResult'; readonly id: string } & ToolAnswer)
  | ({ readonly kind: 'approval'; readonly id: string } & ApprovalAnswer)
  | { readonly kind: 'cancel'; readonly turnId: string };

const id = z.string().min(1).max(200);
const name = z.string().min(1).max(200);
const input = z.json().default({});
const count = z.number().min(0).finite();

const message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('reasoning'), text: z.string() }),
  /** One of our tools, to be run by us: answered with `toolResult`. */
  z.object({ kind: z.literal('toolCall'), id, name, input }),
  /** A tool of its own: once when it starts, and once more with `output` when it is done. */
  z.object({
    kind: z.literal('toolUse'),
    id,
    name,
    input,
    output: z.string().optional(),
    isError: z.boolean().optional(),
  }),
  /** It asks before it acts: answered with `approval`. */
  z.object({ kind: z.literal('approval'), id, tool: name, input, callId: id.optional() }),
  z.object({
    kind: z.literal('usage'),
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count.default(0),
    cacheWriteTokens: count.default(0),
    reasoningTokens: count.default(0),
    costUsd: count.optional(),
  }),
  z.object({
    kind: z.literal('log'),
    level: z.enum(['info', 'warning', 'error']).default('info'),
    text: z.string(),
  }),
  /** The turn is over. Without this line it has failed, whatever the exit code says. */
  z.object({
    kind: z.literal('end'),
    reason: z.enum(['done', 'error']).default('done'),
    stop: z.string().max(100).optional(),
    error: z
      .object({
        message: z.string().default('The program does not say why.'),
        status: z.int().min(400).max(599).optional(),
        retryable: z.boolean().optional(),
      })
      .optional(),
  }),
]);

/** What the program writes: one JSON object a line, told apart by `kind`. */
export type LineOut = z.infer<typeof message>;

export type ReadProtocolLine =
  | { readonly ok: true; readonly message: LineOut }
  /** `known`: one of our kinds, but not in its shape. Other kinds and other text are passed over. */
  | { readonly ok: false; readonly known: boolean };

/** One line of the program's standard output. Pure, never throws. */
export function readLine(line: string): ReadProtocolLine {
  const fields = parseLine(line);
  if (fields === undefined) return { ok: false, known: false };
  const parsed = message.safeParse(fields);
  if (parsed.success) return { ok: true, message: parsed.data };
  return { ok: false, known: KINDS.has(String(fields.kind)) };
}

const KINDS: ReadonlySet<string> = new Set([
  'text',
  'reasoning',
  'toolCall',
  'toolUse',
  'approval',
  'usage',
  'log',
  'end',
]);

export const printLine = (line: LineIn): string => `${JSON.stringify(line satisfies JsonValue | LineIn)}\n`;
