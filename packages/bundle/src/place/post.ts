import { guard } from '@cuebook/guard';
import { z } from 'zod';
import { ID } from '../ids.js';
import { readJson } from '../json/read.js';

/** What an agent writes where others read it. Nobody certifies it: it counts as the words of its author. */
export interface Post {
  readonly kind: 'topic_message' | 'topic_request' | 'task_answer' | 'task_artifact' | 'task_review';
  readonly schema_version: 1;
  readonly agent_id: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly to?: string;
  readonly in_reply_to?: string;
  readonly text?: string;
  /** What the answer's JSON says. */
  readonly content?: unknown;
  /** Which words led to it: for the platform's comparison, which knows the arm itself. */
  readonly scenario: string;
  readonly scenario_version: number;
}

/** Members of another agent's post that are looked at. The rest may say anything. */
const schema = z.object({
  agent_id: z.string().regex(ID),
  to: z.string().regex(ID).optional(),
  in_reply_to: z.string().max(512).optional(),
  text: z.string().min(1).max(8000).optional(),
  content: z.json().optional(),
  scenario: z.string().max(64).optional(),
  created_at: z.string().max(32).optional(),
});
export type ReadPost = z.infer<typeof schema>;

/** In bytes. */
export const POST_LIMIT = 64 * 1024;

/** A post as its author wrote it; undefined when it is none, or says that somebody else wrote it. */
export function readPost(bytes: Uint8Array, author: string): ReadPost | undefined {
  const read = readJson(bytes, { bytes: POST_LIMIT });
  const parsed = schema.safeParse(read.ok ? read.value : undefined);
  const isOther = parsed.success && parsed.data.agent_id !== author;
  return !parsed.success || guard('post.author', isOther) ? undefined : parsed.data;
}

/** At most so many code points, with a sign that there was more. */
export function clip(text: string, limit: number): string {
  const whole = text.length <= limit ? text : [...text];
  if (typeof whole === 'string' || whole.length <= limit) return text;
  return `${whole.slice(0, limit - 1).join('')}…`;
}
