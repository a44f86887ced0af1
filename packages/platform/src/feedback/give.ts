import { createHash } from 'node:crypto';
import {
  actionOfKey,
  codePoints,
  feedbackObject,
  isId,
  isObjectKey,
  type JsonProblem,
  KEYS,
  keysBelow,
  type ObjectError,
  POST_LIMIT,
  readPost,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { findAgent } from '../cards.js';
import type { PlatformParts } from '../desk.js';
import { putFact } from '../facts.js';
import { change, type RecordError } from '../ledger.js';
import { type AgentRecord, agentSubject } from '../record.js';

/** What a person says to something that an agent wrote: a like, or with `text` a comment. */
export interface GivenFeedback {
  readonly agent: string;
  /** The object that it is about. */
  readonly about: string;
  readonly text?: string | undefined;
  readonly by: string;
}

/** `E_FEEDBACK`: why it is not taken. */
export type FeedbackError =
  | {
      readonly code: 'E_FEEDBACK';
      readonly reason: 'unknown-agent' | 'no-post' | 'no-words' | 'too-long';
    }
  | RecordError
  | ObjectError
  | JsonProblem;

/** In code points. */
export const COMMENT_LIMIT = 2000;

/**
 * Puts a like or a comment on the platform's record and, certified, where the agent finds it. It is about a post of
 * that agent that is there. The same words of the same person about the same post are given once. Ids sort by time,
 * also where the clock stood still or went back.
 */
export async function giveFeedback(
  parts: PlatformParts,
  { agent, about, text, by }: GivenFeedback,
): Promise<Result<{ readonly id: string }, FeedbackError>> {
  if (!isId(agent) || (await findAgent(parts, agent)) === undefined) return refuse('unknown-agent');
  if (text !== undefined && (text.trim() === '' || !text.isWellFormed())) return refuse('no-words');
  if (text !== undefined && codePoints(text) > COMMENT_LIMIT) return refuse('too-long');
  if (guard('feedback.post', !(await isPost(parts, agent, about)))) return refuse('no-post');
  const mark = createHash('sha256')
    .update(JSON.stringify([by, about, text ?? null]))
    .digest('hex')
    .slice(0, 12);
  const prefix = `${KEYS.told(agent)}feedback/`;
  const ids = (await keysBelow(parts.objects, prefix)).map((key) =>
    key.slice(prefix.length, -'.json'.length),
  );
  const given = ids.find((id) => id.endsWith(`_${mark}`));
  if (given !== undefined) return ok({ id: given });
  const id = `fb_${String(Math.max(parts.now(), timeOf(ids.at(-1)) + 1)).padStart(15, '0')}_${mark}`;
  const kind = text === undefined ? 'like' : 'comment';
  const data = { id, kind, about, by } as never;
  // Of several servers that hear the same at once one gives it an id, also for the others.
  const noted = await change<AgentRecord, string, never>(
    parts.store,
    agentSubject(agent),
    () => ok({ events: [{ type: 'feedback.given', data }], answer: id }),
    `feedback ${mark}`,
  );
  if (!noted.ok) return noted;
  const body = feedbackObject(agent, { id: noted.value, kind, about, text });
  const told = { key: KEYS.feedback(agent, noted.value), kind: body.kind, subject: agent, body };
  const put = await putFact(parts, told, { once: true });
  const isTold = put.ok || (put.error.code === 'E_OBJECT' && put.error.reason === 'exists');
  return isTold ? ok({ id: noted.value }) : put;
}

/** Whether the agent wrote such an object. */
async function isPost({ objects }: PlatformParts, agent: string, key: string): Promise<boolean> {
  const isTheirs = key.split('/')[3] === agent && actionOfKey(key) !== undefined;
  if (!isTheirs || !isObjectKey(key)) return false;
  const bytes = await objects.get(key, { limit: POST_LIMIT });
  return bytes.ok && readPost(bytes.value, agent) !== undefined;
}

const timeOf = (id: string | undefined): number => Number(/^fb_(\d{15})_/.exec(id ?? '')?.[1] ?? 0);

const refuse = (reason: Extract<FeedbackError, { code: 'E_FEEDBACK' }>['reason']) =>
  fail<FeedbackError>({ code: 'E_FEEDBACK', reason });
