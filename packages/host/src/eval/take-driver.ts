import {
  type Driver,
  type EffectIntent,
  NO_APPROVALS,
  type RunLook,
  type RunPort,
  takeTurn,
} from '@cuebook/engine';
import { createRecorder, type RunId } from '@cuebook/journal';
import { composeRequest, describeRefusal, fail, type GatedRequest, ok, type Result } from '@cuebook/prompt';
import { ANY_LANE, furthestSessions, type Provider } from '@cuebook/provider';
import type { HostError } from '../contract.js';
import { refuse } from '../errors.js';
import { readSources } from '../kept-sources.js';
import type { Ground } from '../kind.js';
import type { EvalFacts, EvalKindOptions, KeptRequest, TakePlan } from './contract.js';
import type { EvalCommand } from './machine.js';
import { readSessions } from './read-takes.js';
import type { EvalState } from './state.js';

interface TakeParts {
  readonly run: RunId;
  readonly ground: Ground;
  readonly provider: Provider;
  readonly facts: EvalFacts;
  /** What the run was begun with in this process; undefined: its record has it. */
  readonly requests: readonly KeptRequest[] | undefined;
  readonly perform: EvalKindOptions['perform'];
  readonly port: (run: RunId) => RunPort<EvalState, EvalCommand>;
}

/** Does `model.turn` of an eval: one take is one turn of a conversation of its own. */
export function createTakeDriver(parts: TakeParts): Driver {
  const { run, ground, provider, facts, requests: begun, perform, port } = parts;
  const { store, signer, redactor, folder, homeFolder, overhear = (each) => each } = ground;
  const recorder = createRecorder({ store, signer });
  const requests = once(
    async () => (begun === undefined ? readRequests(ground, run, facts) : ok(begun)),
    ({ ok: isRead }) => isRead,
  );
  // A script is one for all takes: a process that takes the run up goes on behind the steps that were played.
  const played = once(async () =>
    furthestSessions(provider.kind === 'rehearsal' ? await readSessions(store, run) : []),
  );
  return {
    beginsLate: true,
    async perform(effect, context) {
      const { at } = effect.input as { readonly at: number };
      const take = facts.takes[at] as TakePlan;
      if (perform !== undefined) return perform(take, context.signal);
      const request = requestFor(effect, facts, await requests(), ground);
      if (!request.ok) return { ok: false, error: request.error };
      const { model = facts.model } = request.value.params as { readonly model?: string };
      const named = model === undefined ? {} : { model };
      const before = await played();
      const resume = before.get(model ?? ANY_LANE) ?? before.get(ANY_LANE);
      const session = overhear(
        provider.open({
          ...{ redactor, cwd: folder, home: homeFolder, access: 'plan', ...named },
          ...(resume === undefined ? {} : { resume }),
        }),
      );
      try {
        return await takeTurn<EvalState>(
          {
            ...{ recorder, redactor, look: EVAL_LOOK, acts: false },
            port: (of) => ({ ...port(of), submit: async () => fail(NO_COMMANDS) }),
            publish: (event) => ground.publish({ run, node: take.lane, effect: effect.id }, event),
          },
          {
            ...{ effect, context, composed: { request: request.value }, session },
            voice: { provider: provider.name, ...named },
          },
        );
      } finally {
        await session.close();
      }
    },
  };
}

const NO_COMMANDS = { code: 'E_WORD_UNKNOWN', message: 'A take does nothing but speak.' };

/** Nobody wants a take that was under way when its run was stopped. */
const EVAL_LOOK: RunLook<EvalState> = {
  isStopped: ({ cut }, effect) => (cut.includes(effect) ? true : undefined),
  resultOf: () => undefined,
  approvalsOf: () => NO_APPROVALS,
};

/** Reads once, and again after what failed. */
function once<Value>(
  read: () => Promise<Value>,
  isKept: (value: Value) => boolean = () => true,
): () => Promise<Value> {
  let kept: Promise<Value> | undefined;
  const forget = (): void => {
    kept = undefined;
  };
  return () => {
    if (kept !== undefined) return kept;
    kept = read();
    kept.then((value) => isKept(value) || forget(), forget);
    return kept;
  };
}

async function readRequests(
  { store }: Ground,
  run: RunId,
  { sources }: EvalFacts,
): Promise<Result<readonly KeptRequest[], HostError>> {
  if (sources === undefined) return refuse('unavailable', 'E_RUN_SOURCES', 'The run kept no requests.');
  const read = await readSources(store, run, sources);
  if (!read.ok) return read;
  return ok((read.value.about as unknown as { readonly requests: readonly KeptRequest[] }).requests);
}

/** The request of a take: gated anew, and the same words or none. */
function requestFor(
  { input }: EffectIntent,
  { takes }: EvalFacts,
  requests: Result<readonly KeptRequest[], HostError>,
  { hash, redactor }: Ground,
): Result<GatedRequest, { readonly code: string; readonly message: string }> {
  if (!requests.ok) return requests;
  const { at } = input as { readonly at: number };
  const kept = requests.value[(takes[at] as TakePlan).request] as KeptRequest;
  const composed = composeRequest({ ...kept, hash, redactor });
  if (!composed.ok) {
    const [first] = composed.error;
    const message = first === undefined ? 'Refused.' : describeRefusal(first);
    return fail({ code: first?.code ?? 'E_EVAL_CHANGED', message });
  }
  if (composed.value.prompt.hash !== kept.hash)
    return fail({ code: 'E_EVAL_CHANGED', message: 'What is private here has changed since the run began.' });
  return ok(composed.value);
}
