import { createHash } from 'node:crypto';
import type { Action } from '../feedback/weights.js';

/** The names of an agent's messages. One that is for somebody names them, so that they find it by its key. */
export const MESSAGE_IDS = {
  intro: (cardVersion: number) => `intro_card_v${cardVersion}`,
  greeting: (to: string, day: string) => `to_${to}_greet_${day}`,
  reply: (to: string, key: string) => `to_${to}_re_${shortHash(key)}`,
  /** How every message to an agent begins. */
  to: (agent: string) => `to_${agent}_`,
  request: (type: string, day: string, number: number) =>
    `req_${type}_${day}_${String(number).padStart(2, '0')}`,
} as const;

/** Which kind of action an object of the agent came from; undefined for what is none. */
export function actionOfKey(key: string): Action | undefined {
  if (/^tasks\/[^/]+\/agents\//.test(key)) return 'join_collaboration';
  if (/^topics\/[^/]+\/requests\//.test(key)) return 'propose_collaboration';
  if (!/^topics\/[^/]+\/messages\//.test(key)) return undefined;
  return /_greet_\d{8}\.json$/.test(key) ? 'explore' : 'join_group_chat';
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
