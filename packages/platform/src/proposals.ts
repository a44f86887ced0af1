import { createHash } from 'node:crypto';
import {
  isId,
  type JsonProblem,
  KEYS,
  keysBelow,
  type MeetingPlace,
  type ObjectError,
  placeSchema,
  proposedSchema,
  type Rejection,
  readPost,
  type Task,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import type { PlatformParts } from './desk.js';
import { putFact } from './facts.js';
import { findPlace, listPlaces, type PlaceError, putPlace } from './places.js';

/** A request that an agent wrote under its own prefix of a topic. */
export interface RequestPlace {
  readonly topic: string;
  readonly agent: string;
  readonly request: string;
}

/** `E_PROPOSAL`: what was asked for is not there, is no proposal, or was decided otherwise. */
export type ProposalError =
  | {
      readonly code: 'E_PROPOSAL';
      readonly reason: 'bad-id' | 'not-found' | 'no-proposal' | 'not-open' | 'decided' | 'no-such-role';
    }
  | PlaceError
  | ObjectError
  | JsonProblem;

type Proposed = z.infer<typeof proposedSchema>;

/** A proposal that nobody has decided on, as far as it can be read. */
export interface OpenProposal extends RequestPlace {
  /** Left out where it is none: it can only be rejected. */
  readonly proposal?: Proposed;
}

/** What waits for a decision, topic by topic. */
export async function listProposals(parts: PlatformParts): Promise<readonly OpenProposal[]> {
  const open: OpenProposal[] = [];
  for (const { place } of await listPlaces(parts)) {
    if (place.kind !== 'topic') continue;
    const prefix = `topics/${place.id}/requests/`;
    const decided = new Set(await keysBelow(parts.objects, `topics/${place.id}/results/`));
    for (const key of await keysBelow(parts.objects, prefix)) {
      const [, agent = '', request = ''] = /^([^/]+)\/([^/]+)\.json$/.exec(key.slice(prefix.length)) ?? [];
      const at = { topic: place.id, agent, request };
      if (!isId(agent) || !isId(request) || decided.has(KEYS.result(place.id, agent, request))) continue;
      const read = await readProposal(parts, at);
      open.push(read.ok ? { ...at, proposal: read.value } : at);
    }
  }
  return open;
}

/**
 * Accepts a proposed task or topic: the platform publishes it, certified, and tells the agent; of a task the proposal
 * as well. What the agent wrote stays where it wrote it. Done again, it changes nothing.
 */
export async function acceptProposal(
  parts: PlatformParts,
  at: RequestPlace,
  by: string,
): Promise<Result<MeetingPlace, ProposalError>> {
  const read = await readProposal(parts, at);
  if (!read.ok) return read;
  const proposed = read.value;
  const key = KEYS.request(at.topic, at.agent, at.request);
  const kind = proposed.type === 'propose_task' ? 'task' : 'topic';
  const id = `${kind}_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  const known = await findPlace(parts, { kind, id });
  if (known !== undefined) return ok(known);
  if (proposed.type === 'propose_task') {
    const put = await publishProposal(parts, at, { id, key, content: proposed });
    if (!put.ok) return put;
  }
  const from = await findPlace(parts, { kind: 'topic', id: at.topic });
  const place = placeOf(proposed, { id, agent: at.agent, from });
  const placed = await putPlace(parts, place, by);
  if (!placed.ok) return placed;
  const told = await tellResult(parts, at, {
    outcome: 'accepted',
    reason_code: 'accepted',
    [`${kind}_id`]: id,
  });
  return told.ok ? ok(place) : told;
}

async function publishProposal(
  parts: PlatformParts,
  at: RequestPlace,
  { id, key, content: of }: { readonly id: string; readonly key: string; readonly content: Proposed },
): Promise<Result<void, ProposalError>> {
  const body = {
    ...{ kind: 'task_proposal', schema_version: 1, task_id: id, agent_id: at.agent },
    ...{ request_key: key, content: JSON.parse(JSON.stringify(of)) },
  };
  return putFact(parts, { key: KEYS.proposal(id), kind: body.kind, subject: id, body });
}

interface ProposalOrigin {
  readonly id: string;
  readonly agent: string;
  readonly from: MeetingPlace | undefined;
}

/** The place that a proposal becomes. */
function placeOf(proposed: Proposed, { id, agent, from }: ProposalOrigin): MeetingPlace {
  const { type, title, summary, description, visibility, ...rest } = proposed;
  const seen = { id, title, ...seenBy(from, visibility, agent), state: 'open' };
  const words = summary ?? description;
  if (type === 'propose_task')
    return placeSchema.parse({
      kind: 'task',
      ...seen,
      summary: words ?? '',
      ...rest,
      participants: [{ agent_id: agent, role: 'proposer' }],
    });
  const { mode, opening_question } = proposed;
  return placeSchema.parse({ kind: 'topic', ...seen, summary: words ?? opening_question ?? '', mode });
}

/** As visible as the topic that it came from, or less where the proposal asks for less. */
function seenBy(
  topic: MeetingPlace | undefined,
  asked: string | undefined,
  agent: string,
): Pick<Task, 'visibility' | 'circle_id' | 'invited'> {
  const { visibility = 'public', circle_id, invited = [] } = topic ?? {};
  const seen = { ...(circle_id === undefined ? {} : { circle_id }), visibility, invited };
  const wish = WIDTHS.indexOf(asked as (typeof WIDTHS)[number]);
  const isLess = wish > WIDTHS.indexOf(visibility) && (asked !== 'circle' || circle_id !== undefined);
  const narrower = WIDTHS[wish];
  return isLess && narrower !== undefined
    ? { ...seen, visibility: narrower, invited: [...new Set([...invited, agent])] }
    : seen;
}

/** Who sees a place, from everybody to those who are named. */
const WIDTHS = ['public', 'circle', 'invited'] as const;

/** Rejects a request that nobody has accepted, and tells the agent why. */
export async function rejectProposal(
  parts: PlatformParts,
  at: RequestPlace,
  reason: Rejection,
): Promise<Result<void, ProposalError>> {
  if (![at.topic, at.agent, at.request].every(isId)) return refuse('bad-id');
  const key = KEYS.request(at.topic, at.agent, at.request);
  const bytes = await parts.objects.get(key, { limit: 64 * 1024 });
  if (!bytes.ok && bytes.error.reason === 'not-found') return refuse('not-found');
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 16);
  for (const kind of ['task', 'topic'] as const) {
    if (await findPlace(parts, { kind, id: `${kind}_${hash}` })) return refuse('decided');
  }
  return tellResult(parts, at, { outcome: 'rejected', reason_code: reason });
}

/**
 * Lets an agent take part in a task, in the role that it asked for in its answer. Where the task asks for roles it is
 * one of them that nobody has; the role of the proposer is nobody else's.
 */
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
  const role = roleFor(task, answer.data.role ?? undefined);
  if (guard('proposal.role', role === undefined)) return refuse('no-such-role');
  const joined = { agent_id: agent, role: role ?? 'member' };
  const next = { ...task, participants: [...task.participants, joined] };
  const placed = await putPlace(parts, next, by);
  return placed.ok ? ok(next) : placed;
}

/** The role as the task writes it; undefined for one that it does not ask for, or that is taken. */
function roleFor({ required_roles = [], participants }: Task, asked: string | undefined): string | undefined {
  const isTaken = (role: string) => participants.some((each) => fold(each.role) === fold(role));
  if (required_roles.length === 0) {
    const role = asked ?? 'member';
    return fold(role) === 'proposer' ? undefined : role;
  }
  const free = required_roles.map(({ role }) => role).filter((role) => !isTaken(role));
  return asked === undefined ? free[0] : free.find((role) => fold(role) === fold(asked));
}

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

const joining = z.object({ decision: z.literal('join'), role: z.string().min(1).max(64).nullish() });

async function readProposal(
  { objects }: PlatformParts,
  { topic, agent, request }: RequestPlace,
): Promise<Result<Proposed, ProposalError>> {
  if (![topic, agent, request].every(isId)) return refuse('bad-id');
  const bytes = await objects.get(KEYS.request(topic, agent, request), { limit: 64 * 1024 });
  if (!bytes.ok) return bytes.error.reason === 'not-found' ? refuse('not-found') : bytes;
  const parsed = proposedSchema.safeParse(readPost(bytes.value, agent)?.content);
  return parsed.success ? ok(parsed.data) : refuse('no-proposal');
}

async function tellResult(
  parts: PlatformParts,
  { topic, agent, request }: RequestPlace,
  result: Readonly<Record<string, string>>,
): Promise<Result<void, ProposalError>> {
  const objectKey = KEYS.result(topic, agent, request);
  const body = {
    ...{ kind: 'topic_result', schema_version: 1, agent_id: agent, request_id: request },
    ...result,
  };
  return putFact(parts, { key: objectKey, kind: body.kind, subject: agent, body });
}

const refuse = (reason: Extract<ProposalError, { code: 'E_PROPOSAL' }>['reason']) =>
  fail<ProposalError>({ code: 'E_PROPOSAL', reason });
