import { createHash } from 'node:crypto';
import type { Block, ToolCall } from '@cuebook/prompt';

/**
 * The blocks with calls and results as every vendor takes them: the results right behind the answer that made the
 * calls, one for each, in the order of the calls; ids that are plain and used once. A call without a result on
 * record gets one that says so, and a result that answers no open call is said by the user. Nothing else moves.
 */
export function pairCalls(blocks: readonly Block[], ids: CallIds = 'plain'): readonly Block[] {
  const taken = new Set<Block>();
  const used = new Set<string>();
  const paired = new Map<Block, readonly Block[]>();
  blocks.forEach((block, index) => {
    if (block.role !== 'assistant' || !block.calls?.length) return;
    paired.set(block, pairAnswer(block, blocks.slice(index + 1), { taken, used, ids }));
  });
  return blocks
    .filter((block) => !taken.has(block))
    .flatMap((block) => paired.get(block) ?? [block.role === 'tool' ? asUser(block) : block]);
}

/** What stands for a result that nobody has: a vendor takes no call without one. */
export const NO_RESULT = 'No result of this call is on record.';

/** `plain`: letters, digits, `_` and `-`. `nine`: nine letters and digits, which Mistral asks for and nobody minds. */
export type CallIds = 'plain' | 'nine';

interface Seen {
  readonly ids: CallIds;
  /** Results that have found their call. */
  readonly taken: Set<Block>;
  /** Ids on the wire. */
  readonly used: Set<string>;
}

function pairAnswer(answer: Block, after: readonly Block[], { taken, used, ids }: Seen): readonly Block[] {
  const calls = [...new Map((answer.calls ?? []).map((call) => [call.id, call])).values()];
  const found = findResults(new Set(calls.map(({ id }) => id)), after, taken);
  const wires = new Map(calls.map(({ id }) => [id, wireId(id, used, ids)]));
  const renamed = calls.map((call): ToolCall => ({ ...call, id: wires.get(call.id) as string }));
  const results = calls.map(({ id }) => {
    const callId = wires.get(id) as string;
    const result = found.get(id);
    return result === undefined ? missingResult(answer, callId) : { ...result, callId };
  });
  return [{ ...answer, calls: renamed }, ...results];
}

/** A result belongs to the nearest answer before it that made its call. */
function findResults(
  open: ReadonlySet<string>,
  after: readonly Block[],
  taken: Set<Block>,
): ReadonlyMap<string, Block> {
  const found = new Map<string, Block>();
  for (const block of after) {
    if (block.calls?.some(({ id }) => open.has(id))) break;
    const { role, callId } = block;
    if (role !== 'tool' || callId === undefined || !open.has(callId) || found.has(callId)) continue;
    found.set(callId, block);
    taken.add(block);
  }
  return found;
}

/** No more than 40 characters, used once in a conversation. An id that the vendor would take stays. */
function wireId(id: string, used: Set<string>, ids: CallIds): string {
  const { pattern, make } = IDS[ids];
  let wire = pattern.test(id) ? id : make(id, 1);
  for (let count = 2; used.has(wire); count += 1) wire = make(id, count);
  used.add(wire);
  return wire;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const IDS = {
  plain: {
    pattern: /^[a-zA-Z0-9_-]{1,40}$/,
    make: (id: string, count: number) => `call_${digestOf(id).slice(0, 24)}${count === 1 ? '' : `_${count}`}`,
  },
  nine: {
    pattern: /^[a-zA-Z0-9]{9}$/,
    make: (id: string, count: number) => digestOf(count === 1 ? id : `${id} ${count}`).slice(0, 9),
  },
} as const;

const missingResult = ({ name, hash }: Block, callId: string): Block => ({
  name: `${name}, result`,
  role: 'tool',
  text: NO_RESULT,
  spans: [],
  hash,
  callId,
});

const asUser = ({ callId: _, ...block }: Block): Block => ({ ...block, role: 'user' });
