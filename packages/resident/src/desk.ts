import {
  type Accepted,
  type Card,
  KEYS,
  type Objects,
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
  readonly fault?: (point: UpdatePoint) => void | Promise<void>;
}

export function openDesk(options: DeskOptions): Desk {
  const { objects, files, path } = options;
  let known: Accepted | undefined;
  let entered: Entered | undefined;
  const accepted = async (now: number): Promise<Accepted | undefined> => {
    if (known !== undefined) return known;
    const state = await readState(files, path);
    if (!state.ok || state.value === undefined) return undefined;
    const verified = verifyState(options, state.value, now);
    known = verified.ok ? verified.value.accepted : undefined;
    return known;
  };
  return {
    objects,
    accepted,
    async sync(now) {
      if (entered?.entry !== 'admitted') entered = await options.enter?.();
      const kept = await updateTrust({ ...options, floor: entered?.floor ?? options.floor, now });
      if (!kept.ok) return fail(kept.error);
      known = kept.value.accepted;
      const { changed, staleSince, failures } = kept.value;
      const { entry } = entered ?? {};
      // Who is refused was let in no more: the next sync shows the key again.
      if (failures.some(({ reason }) => reason === 'denied')) entered = undefined;
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
        failures: failures.map(({ source, code, reason }) => ({ source, code, reason })),
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
