import type { ModelData } from '@cuebook/define';
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
  open(wanted: WantedVoice): Result<ThreadVoice, ThreadVoiceError>;
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
}

export function createVoices(find: FindProvider): ThreadVoices {
  const sessions = new Map<string, { readonly voice: ThreadVoice; readonly redactor: Redactor }>();
  return {
    open({ state, run, frame, names, model, redactor, mask }) {
      const found = find(model);
      if (!found.ok) return found;
      const provider = found.value;
      if (provider.kind === 'cli')
        return fail({
          code: 'E_THREAD_PROVIDER',
          message: `${provider.name} is a CLI agent. Threads speak to model APIs: name one in the model "${model.name}".`,
        });
      const key = JSON.stringify([run, frame, names, provider.name, model.model]);
      const known = sessions.get(key);
      if (known?.redactor === redactor) return ok(known.voice);
      const resume =
        provider.kind === 'rehearsal' ? resumeOf(state, [...names, model.model, '*']) : undefined;
      const session = provider.open({
        model: model.model,
        names,
        redactor,
        ...(resume === undefined ? {} : { resume }),
      });
      const voice = {
        kind: provider.kind,
        session: maskedSession(session, mask),
        provider: provider.name,
        model: model.model,
      };
      void known?.voice.session.close();
      sessions.set(key, { voice, redactor });
      return ok(voice);
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ voice }) => voice.session.close()));
      sessions.clear();
    },
  };
}

/** Where a script stood when an earlier process heard it last. */
const resumeOf = ({ voices }: ThreadRunState, names: readonly string[]): string | undefined => {
  const lane = names.find((name) => Object.hasOwn(voices, name));
  return lane === undefined ? undefined : voices[lane];
};
