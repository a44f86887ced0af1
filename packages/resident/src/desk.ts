import {
  type Accepted,
  type Card,
  type FailureNote,
  KEYS,
  type KeySigner,
  type ObjectError,
  type Objects,
  printHeartbeat,
  readCard,
  readState,
  type TrustAnchor,
  type TrustStateError,
  type UpdatePoint,
  updateTrust,
  verifyState,
} from '@cuebook/bundle';
import type { Files } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Entry, TrustFacts } from './life/state.js';

/** What an agent has at hand: its store, its trust state on the disk, and what of it was verified. */
export interface Desk {
  readonly objects: Objects;
  /** Takes what is new. The facts are for the log; nothing of what was refused is in them. */
  sync(now: number): Promise<Result<TrustFacts, TrustStateError>>;
  /** Shows that the agent is awake, what it uses and what it refused last, signed with its key where it has one. */
  beat(now: number): Promise<Result<void, ObjectError>>;
  /** What may be acted on. Before the first sync of a process the saved state is verified again. */
  accepted(now: number): Promise<Accepted | undefined>;
  /** The card of another agent, read and verified now. */
  card(agent: string, now: number): Promise<Card | undefined>;
}

export interface Entered {
  readonly entry: Entry;
  /** The least version to accept, told by the platform. */
  readonly floor?: number;
}

export interface DeskOptions extends TrustAnchor {
  readonly objects: Objects;
  /** Private to the agent. */
  readonly files: Files;
  /** The file of the trust state. */
  readonly path: string;
  readonly floor?: number | undefined;
  /** Shows the agent's key to its platform: before every sync, until it is let in. */
  readonly enter?: () => Promise<Entered>;
  /** The agent's own key, with which it signs its heartbeat. */
  readonly signer?: KeySigner | undefined;
  /** A person says that the clock is right. */
  readonly clockIsRight?: boolean | undefined;
  readonly fault?: (point: UpdatePoint) => void | Promise<void>;
}

export function openDesk(options: DeskOptions): Desk {
  const { objects, files, path, agent: self, signer } = options;
  let known: Accepted | undefined;
  let entered: Entered | undefined;
  let failure: FailureNote | null = null;
  const accepted = async (now: number): Promise<Accepted | undefined> => {
    if (known !== undefined) return known;
    const state = await readState(files, path);
    if (!state.ok || state.value === undefined) return undefined;
    const verified = verifyState(options, state.value, now);
    known = verified.ok ? verified.value.accepted : undefined;
    return known;
  };
  const beat: Desk['beat'] = async (now) => {
    const applied = (await accepted(now))?.applied ?? null;
    return objects.put(
      KEYS.heartbeat(self),
      printHeartbeat({ agent: self, at: now, applied, failure }, signer),
    );
  };
  return {
    objects,
    accepted,
    beat,
    async sync(now) {
      if (entered?.entry !== 'admitted') entered = await options.enter?.();
      const kept = await updateTrust({ ...options, floor: entered?.floor ?? options.floor, now });
      if (!kept.ok) return fail(kept.error);
      known = kept.value.accepted;
      const { changed, staleSince, failures, knownTime } = kept.value;
      failure = kept.value.lastFailure;
      const { entry } = entered ?? {};
      // Who is refused was let in no more: the next sync shows the key again.
      if (failures.some(({ reason }) => reason === 'denied')) entered = undefined;
      // The platform hears of a refusal at once: an agent with nothing to act on says nothing else. That it cannot be
      // told changes nothing about what was refused.
      if (failures.length > 0 && signer !== undefined) await beat(now);
      return ok({
        active: known !== undefined,
        cardVersion: known?.card.card_version ?? null,
        bundleVersion: known?.bundle.bundle_version ?? null,
        scenarios: Object.fromEntries(
          [...(known?.scenarios ?? [])].map(([id, { version }]) => [id, version]),
        ),
        cohorts: known?.bundle.cohorts ?? {},
        changed,
        staleSince: staleSince ?? null,
        failures: failures.map(({ source, code, reason, object }) => ({ source, code, reason, object })),
        knownTime,
        ...(entry !== undefined && { entry }),
      });
    },
    async card(agent, now) {
      const keys = (await accepted(now))?.keys;
      const bytes = keys === undefined ? undefined : await objects.get(KEYS.card(agent));
      if (keys === undefined || !bytes?.ok) return undefined;
      const card = readCard(bytes.value, agent, { keys, now });
      return card.ok && card.value.discovery.public ? card.value : undefined;
    },
  };
}
