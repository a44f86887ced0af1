import { guard } from '@cuebook/guard';
import { type BlockInput, escapedPieces, safeJson, type Trust } from '@cuebook/prompt';
import type { YamlSource } from '@cuebook/yaml';
import { z } from 'zod';
import type { HistoryEntry } from './part.js';

const call = z.strictObject({ id: z.string().min(1), name: z.string().min(1), args: z.json() });

/** An earlier message. There is no system role: whoever hands messages in does not write the rules. */
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), content: z.string() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string(),
    toolCalls: z.array(call).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: z.string(), toolCallId: z.string().min(1) }),
]);

const messages = z.array(message);

type HistoryMessage = z.infer<typeof message>;
type Values = Readonly<Record<string, string>>;

/** What is wrong with the messages that were handed in; nothing of them is repeated. */
export function historyProblems({ name }: Pick<HistoryEntry, 'name'>, values: Values): readonly string[] {
  if (!Object.hasOwn(values, name)) return [];
  const given = readHistory(values[name] ?? '');
  if (!Array.isArray(given)) return [`The history "${name}" does not fit: ${given}`];
  return unanswered(given).map((problem) => `The history "${name}" does not fit: ${problem}`);
}

/** The messages, or what is wrong with the first place that does not fit. */
function readHistory(text: string): readonly HistoryMessage[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON. It is a list of {"role": "user", "content": "..."}';
  }
  const parsed = messages.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = (issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  const isRole = issue?.code === 'invalid_union' || issue?.path.at(-1) === 'role';
  const why = isRole ? 'roles are user, assistant and tool' : (issue?.message ?? 'it is another shape');
  return `${at.join('') || 'it'}: ${why}`;
}

/** Providers take a call only with its answer behind it, and an answer only behind its call. */
function unanswered(given: readonly HistoryMessage[]): readonly string[] {
  const problems: string[] = [];
  let open = new Map<string, number>();
  given.forEach((each, index) => {
    if (each.role === 'tool') {
      if (!open.delete(each.toolCallId)) problems.push(`[${index}] answers no call of the message before it`);
      return;
    }
    for (const asked of open.values()) problems.push(`a call of [${asked}] has no answer behind it`);
    const calls = each.role === 'assistant' ? (each.toolCalls ?? []) : [];
    open = new Map(calls.map(({ id }) => [id, index]));
  });
  for (const asked of open.values()) problems.push(`a call of [${asked}] has no answer behind it`);
  return problems;
}

const TRUST_OF: Readonly<Record<HistoryMessage['role'], Trust>> = {
  user: 'user',
  assistant: 'agent',
  tool: 'tool',
};

/** Earlier messages as blocks, the last `max` of them. Each is trusted as its role is, and escaped. */
export function historyBlocks(
  { name, max, secrecy, path }: HistoryEntry,
  values: Values,
  yaml: YamlSource,
): readonly BlockInput[] {
  const given = Object.hasOwn(values, name) ? readHistory(values[name] ?? '') : [];
  if (!Array.isArray(given)) return [];
  const all = given as readonly HistoryMessage[];
  const via = [yaml.place(path)];
  return lastOf(all, max).map((index): BlockInput => {
    const each = all[index] as HistoryMessage;
    const text = each.role === 'tool' ? (safeJson(each.content) ?? each.content) : each.content;
    const piece = {
      text,
      origin: { kind: 'input', ref: `${name}[${index}]`, via },
      trust: TRUST_OF[each.role],
      secrecy,
      volatility: 'session',
    } as const;
    return {
      name: `${name} ${index + 1}`,
      role: each.role,
      pieces: text === '' ? [] : escapedPieces([piece]),
      ...(each.role === 'assistant' && each.toolCalls !== undefined ? { calls: each.toolCalls } : {}),
      ...(each.role === 'tool' ? { callId: each.toolCallId } : {}),
    };
  });
}

/** The indices of the last messages; answers whose call is cut off go with it. */
function lastOf(all: readonly HistoryMessage[], max = all.length): readonly number[] {
  let first = Math.max(0, all.length - max);
  while (guard('sheet.history.cut', all[first]?.role === 'tool')) first += 1;
  return all.slice(first).map((_, index) => first + index);
}
