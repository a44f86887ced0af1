import type { JsonValue } from '@cuebook/prompt';
import { canonical, toJson } from './canonical.js';
import { type BlobSink, pack } from './manifest/packed.js';
import type { Ended, SaidReceipt, ToolUseData } from './receipt.js';

/** How a turn came out. */
export interface RecordedOutcome {
  readonly reason: Ended['reason'];
  readonly error?: { readonly code: string; readonly message: string; readonly status?: number };
  readonly stop?: string;
  readonly usage?: object;
  /** The provider's session, where it is known only now. */
  readonly sessionId?: string;
  /** What the model said; of a turn that broke off, what had come by then. */
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ToolUse[];
}

/** A tool that the model called, and what came out where that is known. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** Who ran it: whoever drives the turn, or the agent itself. */
  readonly by: 'caller' | 'agent';
  readonly input?: JsonValue;
  /** What the model wrote where it wrote no JSON. */
  readonly badInput?: string;
  readonly output?: string;
  readonly isError?: boolean;
}

/**
 * The end of a turn as its receipt keeps it. What was said goes into blobs: the next prompt of the lane repeats
 * it, and then shares them. Half characters are kept as U+FFFD.
 */
export function encodeEnd(
  outcome: RecordedOutcome,
  sink: BlobSink,
): Omit<Ended, 'turn' | 'prev' | 'key' | 'sig'> {
  const { reason, error, stop, usage, sessionId, text, reasoning, calls } = outcome;
  return {
    reason,
    ...(error && { error: toJson(error) }),
    ...(stop === undefined ? {} : { stop }),
    ...(usage && { usage: toJson(usage) }),
    ...(sessionId === undefined ? {} : { session: sessionId }),
    ...(text === undefined ? {} : { said: say(text, sink) }),
    ...(reasoning === undefined ? {} : { reasoning: say(reasoning, sink) }),
    ...(calls && calls.length > 0
      ? {
          calls: pack(
            calls.map((call) => encodeCall(call, sink)),
            sink,
          ),
        }
      : {}),
  };
}

function encodeCall(
  { id, name, by, input, badInput, output, isError }: ToolUse,
  sink: BlobSink,
): ToolUseData {
  return {
    ...(toJson({ id, name }) as { id: string; name: string }),
    by,
    ...(input === undefined ? {} : { input: give(toJson(input), sink) }),
    ...(badInput === undefined ? {} : { badInput: say(badInput, sink) }),
    ...(output === undefined ? {} : { output: say(output, sink) }),
    ...(isError === undefined ? {} : { isError }),
  };
}

/** What was said is a blob however short it is, so that its content can be deleted on request. */
function say(text: string, sink: BlobSink): SaidReceipt {
  return text === '' ? { text } : sink.add(Buffer.from(text));
}

function give(input: JsonValue, sink: BlobSink): NonNullable<ToolUseData['input']> {
  const text = canonical(input);
  return text.length <= SHORT ? { json: input } : sink.add(Buffer.from(text));
}

/** Below this a blob's name and row cost more than the text. */
const SHORT = 64;
