import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { SheetInputFields } from '../library/sheet-inputs.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Switch } from '../ui/switch.js';
import { libraryQuery, lookAgain, providersQuery, rolesQuery } from '../wire/queries.js';
import { need, server } from '../wire/server.js';
import { RoleVoice } from './role-voice.js';
import { AS_ALL, modelsFor, type StartChoice, startCall } from './start-call.js';

/** Begins a run: what shall be reached, who works on it, with which model, and what it may cost. */
export function StartScreen(): ReactNode {
  const navigate = useNavigate();
  const teams = useQuery({ queryKey: ['teams'], queryFn: () => need(server.listTeams()) });
  const roles = useQuery(rolesQuery);
  const providers = useQuery(providersQuery);
  const library = useQuery(libraryQuery);
  const [choice, setChoice] = useState<StartChoice>({
    ...{ kind: 'roles', goal: '', file: '', target: '', inputs: {}, roles: ['orchestrator', 'implementer'] },
    voices: {},
    ...{ provider: '', model: '', turns: '', usd: '', mode: 'AUTO' },
  });
  const change = (more: Partial<StartChoice>) => setChoice({ ...choice, ...more });
  const start = useMutation({
    mutationFn: async () => {
      const started = await need(server.startRun(startCall(choice)));
      await lookAgain();
      return started;
    },
    onSuccess: ({ run }) => void navigate({ to: '/runs/$run', params: { run }, search: {} }),
  });
  const ids = {
    goal: useId(),
    file: useId(),
    target: useId(),
    provider: useId(),
    model: useId(),
    turns: useId(),
    usd: useId(),
    mode: useId(),
    models: useId(),
  };
  const installed = (providers.data?.providers ?? []).filter((each) => each.installed !== false);
  const files = teams.data?.teams ?? [];
  const targets = (library.data?.targets ?? []).filter(({ kind }) => STARTED.has(kind));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <section className="screen narrow">
      <header className="screen-head">
        <h1>Start work</h1>
      </header>
      <form className="card start" onSubmit={onSubmit}>
        <div className="field">
          <label htmlFor={ids.goal}>{choice.kind === 'target' ? 'First message' : 'Goal'}</label>
          <textarea
            id={ids.goal}
            rows={3}
            value={choice.goal}
            required={choice.kind === 'roles'}
            placeholder={choice.kind === 'file' ? 'Left empty: the goal of the file' : ''}
            onChange={({ target }) => change({ goal: target.value })}
          />
        </div>
        <Switch
          label="Who works on it"
          value={choice.kind}
          options={KINDS}
          onChange={(kind) => change({ kind, file: choice.file || (files[0] ?? '') })}
        />
        {choice.kind === 'roles' && (
          <fieldset className="role-list">
            <legend className="quiet">Agents, by role</legend>
            {(roles.data?.roles ?? [])
              .filter(({ usable }) => usable)
              .map(({ name, capabilities, source }) => (
                <div key={name} className="role-row">
                  <label>
                    <input
                      type="checkbox"
                      checked={choice.roles.includes(name)}
                      onChange={({ target }) =>
                        change({
                          roles: target.checked
                            ? [...choice.roles, name]
                            : choice.roles.filter((each) => each !== name),
                        })
                      }
                    />{' '}
                    {plain(name)}{' '}
                    <span className="quiet">
                      {plain(capabilities.join(', ').replaceAll('_', ' '))}
                      {source === 'repository' && ' · of this project'}
                    </span>
                  </label>
                  {choice.roles.includes(name) && (
                    <RoleVoice
                      role={name}
                      voice={choice.voices[name] ?? AS_ALL}
                      common={choice.provider || (providers.data?.default ?? '')}
                      providers={installed.map((each) => each.name)}
                      models={providers.data?.models ?? []}
                      onChange={(voice) => change({ voices: { ...choice.voices, [name]: voice } })}
                    />
                  )}
                </div>
              ))}
          </fieldset>
        )}
        {choice.kind === 'file' && (
          <div className="field">
            <label htmlFor={ids.file}>Team file</label>
            <select
              id={ids.file}
              value={choice.file}
              onChange={({ target }) => change({ file: target.value })}
            >
              {files.map((file) => (
                <option key={file}>{file}</option>
              ))}
            </select>
            {teams.isSuccess && files.length === 0 && (
              <span className="quiet">The project has no team file yet. Choose roles instead.</span>
            )}
          </div>
        )}
        {choice.kind === 'target' && (
          <div className="field">
            <label htmlFor={ids.target}>Target</label>
            <select
              id={ids.target}
              required
              value={choice.target}
              onChange={({ target }) => change({ target: target.value, inputs: {} })}
            >
              <option value="">choose one</option>
              {targets.map(({ target }) => (
                <option key={target} value={target}>
                  {plain(target)}
                </option>
              ))}
            </select>
            {library.isSuccess && targets.length === 0 && (
              <span className="quiet">
                The project has no agent, prompt or workflow yet. Choose roles instead.
              </span>
            )}
          </div>
        )}
        {choice.kind === 'target' && (
          <SheetInputFields
            target={choice.target}
            values={choice.inputs}
            onChange={(inputs) => change({ inputs })}
          />
        )}
        <div className="field-row">
          {choice.kind !== 'file' && (
            <div className="field">
              <label htmlFor={ids.provider}>Provider</label>
              <select
                id={ids.provider}
                value={choice.provider}
                onChange={({ target }) => change({ provider: target.value })}
              >
                <option value="">as the project says ({providers.data?.default ?? '…'})</option>
                {installed.map(({ name, signedIn }) => (
                  <option key={name} value={name}>
                    {name} ({signedIn})
                  </option>
                ))}
              </select>
            </div>
          )}
          {choice.kind !== 'file' && (
            <div className="field">
              <label htmlFor={ids.model}>Model</label>
              <input
                id={ids.model}
                value={choice.model}
                placeholder="the usual one"
                list={ids.models}
                onChange={({ target }) => change({ model: target.value })}
              />
              <datalist id={ids.models}>
                {modelsFor(choice.provider, providers.data?.models ?? []).map((model) => (
                  <option key={model} value={model} />
                ))}
              </datalist>
            </div>
          )}
          {choice.kind !== 'file' && (
            <>
              <div className="field">
                <label htmlFor={ids.turns}>At most turns</label>
                <input
                  id={ids.turns}
                  type="number"
                  min="1"
                  value={choice.turns}
                  onChange={({ target }) => change({ turns: target.value })}
                />
              </div>
              <div className="field">
                <label htmlFor={ids.usd}>At most $</label>
                <input
                  id={ids.usd}
                  type="number"
                  min="0.01"
                  step="any"
                  value={choice.usd}
                  onChange={({ target }) => change({ usd: target.value })}
                />
              </div>
            </>
          )}
          {choice.kind === 'roles' && (
            <div className="field">
              <label htmlFor={ids.mode}>Mode</label>
              <select
                id={ids.mode}
                value={choice.mode}
                onChange={({ target }) => change({ mode: target.value === 'AUTO' ? 'AUTO' : 'INTERACTIVE' })}
              >
                <option value="AUTO">continues by itself</option>
                <option value="INTERACTIVE">waits for your message</option>
              </select>
            </div>
          )}
        </div>
        <div className="buttons">
          <button type="submit" className="main-button" disabled={start.isPending}>
            Start
          </button>
        </div>
        <ProblemView error={start.error ?? providers.error} />
      </form>
    </section>
  );
}

/** Kinds of targets that are started without a team file. */
const STARTED: ReadonlySet<string> = new Set(['agent', 'prompt', 'workflow', 'sheet', 'manifest']);

const KINDS = [
  { value: 'roles', label: 'A new team' },
  { value: 'file', label: 'A team file' },
  { value: 'target', label: 'An agent, prompt or workflow' },
] as const;
