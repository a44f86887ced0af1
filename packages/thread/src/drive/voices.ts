import type { ModelData } from '@cuebook/define';
import { createHeldSessions, type TurnHold } from '@cuebook/engine';
import { fail, ok, type Redactor, type Result } from '@cuebook/prompt';
import type { Provider, Session } from '@cuebook/provider';
import type { Mask } from '../env/mask.js';
import { maskedSession } from '../env/masked-session.js';
import type { ThreadRunState } from '../run/state.js';

export interface ThreadVoiceError {
  readonly code: string;
  readonly message: string;
}

/** Finds who speaks for a model. */
export type FindProvider = (model: ModelData) => Result<Provider, ThreadVoiceError>;

/** Sessions with models, one for each conversation and model. */
export interface ThreadVoices {
  open(wanted: WantedVoice): Promise<Result<ThreadVoice, ThreadVoiceError>>;
  close(): Promise<void>;
}

export interface ThreadVoice {
  readonly kind: Provider['kind'];
  readonly session: Session;
  readonly provider: string;
  readonly model: string;
}

export interface WantedVoice {
  readonly state: ThreadRunState;
  readonly run: string;
  readonly frame: string;
  /** Lanes of a script, the first that has one: prompt, agent, model. */
  readonly names: readonly string[];
  readonly model: ModelData;
  readonly redactor: Redactor;
  readonly mask: Mask;
  readonly turn: TurnHold;
}

export function createVoices(find: FindProvider): ThreadVoices {
  const sessions = createHeldSessions();
  return {
    async open({ state, run, frame, names, model, redactor, mask, turn }) {
      const found = find(model);
      if (!found.ok) return found;
      const provider = found.value;
      if (provider.kind === 'cli')
        return fail({
          code: 'E_THREAD_PROVIDER',
          message: `${provider.name} is a CLI agent. Threads speak to model APIs: name one in the model "${model.name}".`,
        });
      const key = JSON.stringify([run, frame, names, provider.name, model.model]);
      const resume =
        provider.kind === 'rehearsal' ? resumeOf(state, [...names, model.model, '*']) : undefined;
      const open = () =>
        provider.open({
          model: model.model,
          names,
          redactor,
          ...(resume === undefined ? {} : { resume }),
        });
      const session = await sessions.of({ key, turn, redactor }, open);
      return ok({
        kind: provider.kind,
        session: maskedSession(session, mask),
        provider: provider.name,
        model: model.model,
      });
    },
    close: () => sessions.close(),
  };
}

/** Where a script stood when an earlier process heard it last. */
const resumeOf = ({ voices }: ThreadRunState, names: readonly string[]): string | undefined => {
  const lane = names.find((name) => Object.hasOwn(voices, name));
  return lane === undefined ? undefined : voices[lane];
};
