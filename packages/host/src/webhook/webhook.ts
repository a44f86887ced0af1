import type { StoredEvent } from '@cuebook/journal';
import type { ScheduledCall } from '../schedule/schedule.js';
import type { WaitFor } from '../wait.js';

/** An address at which somebody outside may do one thing with a project, by signing what they send. */
export interface ProjectWebhook {
  /** `whk_` and hex digits. */
  readonly id: string;
  readonly does: WebhookAct;
  readonly by: string;
  readonly addedAt: number;
  /** The newest first. */
  readonly secrets: readonly WebhookSecret[];
}

/** The one thing that a webhook does. */
export type WebhookAct =
  | {
      readonly act: 'start';
      readonly call: ScheduledCall;
      /** Which values of a body become inputs: the JSON pointer of each, by the name of the input. */
      readonly takes: Readonly<Record<string, string>>;
    }
  | {
      readonly act: 'answer';
      /** Only runs of this target are answered; `KIND:*` are all of a kind. */
      readonly target: string;
      readonly answers: readonly WebhookAnswers[];
    };

/** What a webhook may answer. An `approval` is allowed or denied as it stands, this once. */
export const WEBHOOK_ANSWERS = ['question', 'approval'] as const;
export type WebhookAnswers = (typeof WEBHOOK_ANSWERS)[number];

/** A secret as it is kept: the name of what the vault has of it. */
export interface WebhookSecret {
  /** The entry of the vault. */
  readonly sealed: string;
  readonly addedAt: number;
  /** Left out: it counts until it is replaced. */
  readonly expiresAt?: number;
}

/** What came of a delivery. */
export interface Delivered {
  readonly run: string;
  /** What was answered; left out: a run was started. */
  readonly wait?: string;
}

/** All webhooks of a project, by id. */
export type WebhookState = ReadonlyMap<string, ProjectWebhook>;

/** Whether something that waits may be answered with these rights. */
export const mayAnswer = (answers: readonly WebhookAnswers[], what: WaitFor): boolean =>
  (answers.includes('question') && (what === 'question' || what === 'input')) ||
  (answers.includes('approval') && what === 'approval');

/** How records name a webhook that does something. */
export const nameOfWebhook = (id: string): string => `${HOOK}${id}`;

/** Whether the words of a run come from nobody that the project knows: from a webhook. */
export const isStranger = (by: string): boolean => by.startsWith(HOOK);

const HOOK = 'hook:';

/** The state after an event. Events that are not known, and webhooks that are gone, change nothing. */
export function projectWebhooks(state: WebhookState, { type, data, at }: StoredEvent): WebhookState {
  const { id, by, does, sealed, endsAt } = data as unknown as Fields;
  const put = (next: ProjectWebhook): WebhookState => new Map(state).set(id, next);
  if (type === 'webhook.added') return put({ id, does, by, addedAt: at, secrets: [{ sealed, addedAt: at }] });
  const known = state.get(id);
  if (known === undefined) return state;
  switch (type) {
    case 'webhook.removed':
      return new Map([...state].filter(([each]) => each !== id));
    case 'webhook.rotated': {
      const [newest] = known.secrets;
      // Two count at once: the new one, and until a time the one before.
      const before = newest === undefined ? [] : [{ ...newest, expiresAt: endsAt }];
      return put({ ...known, secrets: [{ sealed, addedAt: at }, ...before] });
    }
    default:
      return state;
  }
}

/** Whether this version knows what an event says: it would do something else for a delivery than a newer one. */
export function knowsWebhooks({ type, data }: Pick<StoredEvent, 'type' | 'data'>): boolean {
  const { does } = data as unknown as Partial<Fields>;
  return TYPES.has(type) && (does === undefined || does.act === 'start' || does.act === 'answer');
}

const TYPES = new Set(['webhook.added', 'webhook.removed', 'webhook.rotated']);

type Fields = {
  readonly id: string;
  readonly by: string;
  readonly does: WebhookAct;
  readonly sealed: string;
  /** When the secret before ends. */
  readonly endsAt: number;
};
