import { createHash } from 'node:crypto';
import { taskAsks } from '@cuebook/api/shapes';
import {
  certify,
  isId,
  type JsonProblem,
  KEYS,
  type MeetingPlace,
  type ObjectError,
  readPost,
  type Task,
} from '@cuebook/bundle';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { manifestOptions, type PlatformParts } from './desk.js';
import { findPlace, type PlaceError, putPlace } from './places.js';

/** A request that an agent wrote under its own prefix of a topic. */
export interface RequestPlace {
  readonly topic: string;
  readonly agent: string;
  readonly request: string;
}

/** `E_PROPOSAL`: what was asked for is not there, or is no proposal of a task. */
export type ProposalError =
  | { readonly code: 'E_PROPOSAL'; readonly reason: 'bad-id' | 'not-found' | 'no-proposal' | 'not-open' }
  | PlaceError
  | ObjectError
  | JsonProblem;

const content = z.object({
  type: z.literal('propose_task'),
  title: z.string().min(1).max(120),
  summary: z.string().max(2000).optional(),
  description: z.string().max(2000).optional(),
  visibility: z.string().max(32).optional(),
  ...taskAsks,
});

/**
 * Accepts a proposed task: the platform publishes the proposal and the task, certified, and tells the agent. What the
 * agent wrote stays where it wrote it. Done again, it changes nothing.
 */
export async function acceptProposal(
  parts: PlatformParts,
  at: RequestPlace,
  by: string,
): Promise<Result<Task, ProposalError>> {
  const read = await readProposal(parts, at);
  if (!read.ok) return read;
  const { type: _type, title, summary, description, visibility, ...asks } = read.value;
  const key = KEYS.request(at.topic, at.agent, at.request);
  const id = `task_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  const known = await findPlace(parts, { kind: 'task', id });
  if (known?.kind === 'task') return ok(known);
  const proposal = certify(
    {
      kind: 'task_proposal',
      schema_version: 1,
      task_id: id,
      agent_id: at.agent,
      request_key: key,
      content: read.value,
    },
    {
      ...manifestOptions(parts, 1),
      binding: { kind: 'task_proposal', subject: id, objectKey: KEYS.proposal(id) },
    },
  );
  if (!proposal.ok) return proposal;
  const put = await parts.objects.put(KEYS.proposal(id), proposal.value);
  if (!put.ok) return put;
  const topic = await findPlace(parts, { kind: 'topic', id: at.topic });
  const task: Task = {
    kind: 'task',
    id,
    title,
    summary: summary ?? description ?? '',
    ...asks,
    ...seenBy(topic, visibility, at.agent),
    state: 'open',
    participants: [{ agent_id: at.agent, role: 'proposer' }],
  };
  const placed = await putPlace(parts, task, by);
  if (!placed.ok) return placed;
  const told = await tellResult(parts, at, { outcome: 'accepted', reason_code: 'accepted', task_id: id });
  return told.ok ? ok(task) : told;
}

/** As visible as the topic that it came from, or less where the proposal asks for less. */
function seenBy(
  topic: MeetingPlace | undefined,
  asked: string | undefined,
  agent: string,
): Pick<Task, 'visibility' | 'circle_id' | 'invited'> {
  const { visibility = 'public', circle_id, invited = [] } = topic ?? {};
  const seen = { ...(circle_id === undefined ? {} : { circle_id }), visibility, invited };
  const wish = WIDTHS.findIndex((width) => width === asked);
  const isLess = wish > WIDTHS.indexOf(visibility) && (asked !== 'circle' || circle_id !== undefined);
  const narrower = WIDTHS[wish];
  return isLess && narrower !== undefined
    ? { ...seen, visibility: narrower, invited: [...new Set([...invited, agent])] }
    : seen;
}

/** Who sees a place, from everybody to those who are named. */
const WIDTHS = ['public', 'circle', 'invited'] as const;

/** Rejects a request, with one of the reason codes. */
export async function rejectProposal(
  parts: PlatformParts,
  at: RequestPlace,
  reason: 'duplicate' | 'quota_exceeded' | 'not_eligible' | 'unsafe' | 'invalid_schema' | 'mode_not_allowed',
): Promise<Result<void, ProposalError>> {
  if (![at.topic, at.agent, at.request].every(isId)) return refuse('bad-id');
  return tellResult(parts, at, { outcome: 'rejected', reason_code: reason });
}

/** Lets an agent take part in a task, in the role that it asked for in its answer. */
export async function admitToTask(
  parts: PlatformParts,
  { task: id, agent }: { readonly task: string; readonly agent: string },
  by: string,
): Promise<Result<Task, ProposalError>> {
  if (!isId(id) || !isId(agent)) return refuse('bad-id');
  const task = await findPlace(parts, { kind: 'task', id });
  if (task?.kind !== 'task' || task.state !== 'open') return refuse('not-open');
  if (task.participants.some(({ agent_id }) => agent_id === agent)) return ok(task);
  const bytes = await parts.objects.get(KEYS.taskAnswer(id, agent), { limit: 64 * 1024 });
  if (!bytes.ok) return bytes.error.reason === 'not-found' ? refuse('not-found') : bytes;
  const answer = joining.safeParse(readPost(bytes.value, agent)?.content);
  if (!answer.success) return refuse('no-proposal');
  const { role } = answer.data;
  const next = { ...task, participants: [...task.participants, { agent_id: agent, role: role ?? 'member' }] };
  const placed = await putPlace(parts, next, by);
  return placed.ok ? ok(next) : placed;
}

const joining = z.object({ decision: z.literal('join'), role: z.string().min(1).max(64).nullish() });

async function readProposal(
  { objects }: PlatformParts,
  { topic, agent, request }: RequestPlace,
): Promise<Result<z.infer<typeof content>, ProposalError>> {
  if (![topic, agent, request].every(isId)) return refuse('bad-id');
  const bytes = await objects.get(KEYS.request(topic, agent, request), { limit: 64 * 1024 });
  if (!bytes.ok) return bytes.error.reason === 'not-found' ? refuse('not-found') : bytes;
  const parsed = content.safeParse(readPost(bytes.value, agent)?.content);
  return parsed.success ? ok(parsed.data) : refuse('no-proposal');
}

async function tellResult(
  parts: PlatformParts,
  { topic, agent, request }: RequestPlace,
  result: Readonly<Record<string, string>>,
): Promise<Result<void, ProposalError>> {
  const objectKey = KEYS.result(topic, agent, request);
  const bytes = certify(
    { kind: 'topic_result', schema_version: 1, agent_id: agent, request_id: request, ...result },
    { ...manifestOptions(parts, 1), binding: { kind: 'topic_result', subject: agent, objectKey } },
  );
  return bytes.ok ? parts.objects.put(objectKey, bytes.value) : bytes;
}

const refuse = (reason: Extract<ProposalError, { code: 'E_PROPOSAL' }>['reason']) =>
  fail<ProposalError>({ code: 'E_PROPOSAL', reason });
