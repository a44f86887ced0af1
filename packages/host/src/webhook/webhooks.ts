import { createHash, randomBytes } from 'node:crypto';
import { createWordSeal, maskedWords, sealedIn } from '@cuebook/engine';
import {
  describeJournalError,
  type JournalError,
  keepFirst,
  type NewEvent,
  openRegister,
  type RegisterStore,
  type RunId,
  registerRun,
  type Store,
  timeOf,
} from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import { type JsonValue, ok, type Result } from '@cuebook/prompt';
import { beginOnce } from '../begin-once.js';
import type { Host, HostError } from '../contract.js';
import { refuse } from '../errors.js';
import { answerWith } from './answer.js';
import { isSigned, newWebhookSecret, type SignedDelivery } from './signature.js';
import { callWith, takesProblem } from './take.js';
import {
  type Delivered,
  knowsWebhooks,
  nameOfWebhook,
  type ProjectWebhook,
  projectWebhooks,
  WEBHOOK_ANSWERS,
  type WebhookAct,
  type WebhookState,
} from './webhook.js';

/** The webhooks of a project, kept in its journal; their secrets are sealed in its vault. */
export interface Webhooks {
  list(): Promise<readonly ProjectWebhook[]>;
  /** The secret is told once. */
  add(does: WebhookAct, by: string): Promise<Result<ToldWebhook, HostError>>;
  /** Another secret. The one before counts until a time, so that senders can change over. */
  rotate(
    id: string,
    by: string,
    options: { readonly endsAt: number },
  ): Promise<Result<ToldWebhook, HostError>>;
  remove(id: string, by: string): Promise<Result<{ readonly id: string }, HostError>>;
  /** The webhook that a delivery is signed for; undefined: there is none, or it is not signed, or too long ago. */
  verify(id: string, delivery: SignedDelivery): Promise<ProjectWebhook | undefined>;
  /**
   * Does what a webhook does with a delivery that was verified. The run of a delivery has one id, and an answer one
   * command: so the same delivery again answers the same, whoever dies in between.
   */
  deliver(
    webhook: ProjectWebhook,
    delivery: Pick<SignedDelivery, 'id' | 'body'> & { readonly value: JsonValue },
    host: Pick<Host, 'begin' | 'answer' | 'waiting' | 'report'>,
  ): Promise<Result<Delivered, HostError>>;
}

/** A webhook with its secret, as it is told once. */
export interface ToldWebhook {
  readonly webhook: ProjectWebhook;
  readonly secret: string;
}

/** An event that names a new secret, and the secrets that do not count behind it. */
interface WrittenSecret {
  readonly event: NewEvent;
  readonly ends?: readonly string[];
}

export type WebhookStore = RegisterStore & Pick<Store, 'vault'>;

export function openWebhooks(store: WebhookStore, now = timeOf(store)): Webhooks {
  const register = openRegister<WebhookState>(store, 'hooks', {
    initial: new Map(),
    project: projectWebhooks,
    knows: knowsWebhooks,
  });
  const words = createWordSeal(store.vault, RUN);
  const counting = ({ secrets }: ProjectWebhook) =>
    secrets.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now());
  const shown = (webhook: ProjectWebhook): ProjectWebhook => ({
    ...webhook,
    secrets: counting(webhook),
    does: maskedWords(webhook.does),
  });
  /** Seals a new secret and writes the event that names it, both or neither. Secrets that it ends are erased. */
  const writeSecret = async (
    id: string,
    decide: (state: WebhookState, sealed: string) => Result<WrittenSecret, HostError>,
    more: readonly Uint8Array[] = [],
  ): Promise<Result<ToldWebhook, HostError>> => {
    const secret = newWebhookSecret();
    const entry = await store.vault?.seal(RUN, secret);
    if (entry === undefined) return refuse('unavailable', 'E_JOURNAL_VAULT', 'There is no vault here.');
    if (!entry.ok) return unavailable(entry.error);
    const { id: sealed, blob } = entry.value;
    let ended: readonly string[] = [];
    const done = await register.change<true, HostError>((state) => {
      const decided = decide(state, sealed);
      if (!decided.ok) return decided;
      ended = decided.value.ends ?? [];
      return ok({ events: [decided.value.event], answer: true, blobs: [blob, ...more] });
    });
    await store.vault?.erase(RUN, done.ok ? ended : [sealed]);
    if (!done.ok) return failed(done.error);
    const webhook = (await register.read()).get(id);
    return webhook === undefined ? unknown(id) : ok({ webhook: shown(webhook), secret });
  };
  return {
    list: async () => [...(await register.read()).values()].map(shown),
    async add(does, by) {
      const problem = actProblem(does);
      if (problem !== undefined) return problem;
      const id = `whk_${randomBytes(8).toString('hex')}`;
      const covered = await words.seal({ does, by });
      if (!covered.ok) return unavailable(covered.error);
      const { value, blobs } = covered.value;
      return writeSecret(
        id,
        (state, sealed) => {
          if (state.size >= MOST)
            return refuse('conflict', 'E_WEBHOOK_MANY', `There are ${MOST} webhooks. Remove one first.`);
          const data = asJson({ id, ...value, sealed });
          return ok({ event: { type: 'webhook.added', data } });
        },
        blobs,
      );
    },
    rotate: (id, by, { endsAt }) =>
      writeSecret(id, (state, sealed) => {
        const known = state.get(id);
        if (known === undefined) return unknown(id);
        // What cannot sign any more cannot be read any more.
        const ends = known.secrets.slice(endsAt > now() ? 1 : 0).map((each) => each.sealed);
        return ok({ event: { type: 'webhook.rotated', data: { id, by, sealed, endsAt } }, ends });
      }),
    async remove(id, by) {
      let gone: ProjectWebhook | undefined;
      const done = await register.change<true, HostError>((state) => {
        gone = state.get(id);
        return gone === undefined
          ? unknown(id)
          : ok({ events: [{ type: 'webhook.removed', data: { id, by } }], answer: true });
      });
      if (!done.ok) return failed(done.error);
      // What another webhook says as well stays.
      const left = new Set([...(await register.read()).values()].flatMap(({ does }) => sealedIn(does)));
      const words = sealedIn(gone?.does).filter((entry) => !left.has(entry));
      const secrets = gone?.secrets.map(({ sealed }) => sealed) ?? [];
      await store.vault?.erase(RUN, [...secrets, ...words]);
      return ok({ id });
    },
    async verify(id, delivery) {
      const webhook = (await register.read()).get(id);
      const opened: string[] = [];
      for (const { sealed } of webhook === undefined ? [] : counting(webhook)) {
        const secret = await store.vault?.open(RUN, sealed);
        if (secret !== undefined) opened.push(secret);
      }
      // One that is not there takes as long as one whose secret is another.
      const isRight = isSigned(opened.length === 0 ? [NOBODYS] : opened, delivery, now());
      return isRight && opened.length > 0 ? webhook : undefined;
    },
    async deliver({ id: hook, does: told }, { id, body, value }, host) {
      // Whoever was told of it has masks.
      const does = await words.open((await register.read()).get(hook)?.does ?? told);
      if (does === undefined) return refuse('unavailable', 'E_EFFECT_SEALED', ERASED);
      const command = `${hook}/${digestOf(id).slice(0, 40)}`;
      const by = nameOfWebhook(hook);
      const asked = does.act === 'start' ? callWith(does.call, does.takes, value) : ok(undefined);
      if (!asked.ok) return asked;
      const digest = digestOf(body);
      const kept = await keepFirst(store, command, digest);
      if (!kept.ok) return unavailable(kept.error);
      if (kept.value !== digest) return refuse('conflict', 'E_WEBHOOK_DELIVERY', OTHER_BODY);
      if (does.act === 'answer') return answerWith({ store, host, does, said: { id: command, by } }, value);
      const begun = await beginOnce(store, host.begin, { ...does.call, ...asked.value, id: command, by });
      return begun.ok ? ok({ run: begun.value.run }) : begun;
    },
  };
}

function actProblem(does: WebhookAct): Result<never, HostError> | undefined {
  const target = does.act === 'start' ? does.call.target : does.target;
  if (!/^[a-z]+:./.test(target))
    return refuse('invalid', 'E_RUN_TARGET', 'A target is a kind and a name: agent:NAME, team:FILE.');
  if (does.act === 'answer') {
    if (target.startsWith('team:') && target !== 'team:*')
      return refuse(
        'invalid',
        'E_WEBHOOK_TAKES',
        'The record of a team does not name its file: answer team:*.',
      );
    const fits = does.answers.length > 0 && does.answers.every((each) => WEBHOOK_ANSWERS.includes(each));
    return fits
      ? undefined
      : refuse('invalid', 'E_WEBHOOK_TAKES', `It answers ${WEBHOOK_ANSWERS.join(' or ')}.`);
  }
  const problem = takesProblem(target, does.takes);
  return problem === undefined ? undefined : refuse('invalid', 'E_WEBHOOK_TAKES', `The inputs: ${problem}.`);
}

const RUN: RunId = registerRun('hooks');
const MOST = 1_000;
const ERASED = 'A credential in the words of the webhook was erased, or sealed in another home.';
/** A secret that nobody signs with. */
const NOBODYS = newWebhookSecret();

const digestOf = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

const OTHER_BODY =
  'A delivery of this id has come before, with another body. Send each under an id of its own.';
const unknown = (id: string): Result<never, HostError> =>
  refuse('notFound', 'E_WEBHOOK_UNKNOWN', `There is no webhook ${JSON.stringify(id.slice(0, 80))}.`);
const failed = (error: HostError | JournalError): Result<never, HostError> =>
  'kind' in error ? { ok: false, error } : unavailable(error);
const unavailable = (error: JournalError): Result<never, HostError> =>
  refuse('unavailable', error.code, describeJournalError(error));
