import { type ReactNode, useId } from 'react';
import { plain } from '../ui/plain.js';
import { modelsFor, type RoleVoiceChoice } from './start-call.js';

interface RoleVoiceProps {
  readonly role: string;
  readonly voice: RoleVoiceChoice;
  /** Who speaks where nobody else is chosen. */
  readonly common: string;
  readonly providers: readonly string[];
  readonly models: readonly string[];
  readonly onChange: (voice: RoleVoiceChoice) => void;
}

/** Who speaks for one role of a team, and with which model. */
export function RoleVoice({ role, voice, common, providers, models, onChange }: RoleVoiceProps): ReactNode {
  const list = useId();
  return (
    <span className="role-voice">
      <select
        aria-label={`Provider of ${plain(role)}`}
        value={voice.provider}
        onChange={({ target }) => onChange({ ...voice, provider: target.value })}
      >
        <option value="">as for all</option>
        {providers.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <input
        aria-label={`Model of ${plain(role)}`}
        value={voice.model}
        placeholder={voice.provider === '' ? 'same model as for all' : 'the usual model'}
        list={list}
        onChange={({ target }) => onChange({ ...voice, model: target.value })}
      />
      <datalist id={list}>
        {modelsFor(voice.provider || common, models).map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </span>
  );
}
