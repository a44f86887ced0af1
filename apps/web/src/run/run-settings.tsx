import type { RunView } from '@cuebook/api';
import { type FormEvent, type ReactNode, useId, useRef } from 'react';
import { useAct } from '../ui/act.js';
import { ProblemView } from '../ui/problem.js';
import { server } from '../wire/server.js';

/** How a team goes on, and what it may spend. */
export function RunSettingsForm({ team }: { readonly team: RunView }): ReactNode {
  const { run, mode, globalMode, limits } = team;
  const { act, isPending, error } = useAct(run);
  const form = useRef<HTMLFormElement>(null);
  const ids = { mode: useId(), global: useId(), turns: useId(), usd: useId(), parallel: useId() };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const fields = new FormData(form.current as HTMLFormElement);
    const number = (name: string) => (fields.get(name) === '' ? undefined : Number(fields.get(name)));
    const [turns, usd, parallel] = [number('turns'), number('usd'), number('parallel')];
    act(async () => {
      const raised =
        turns === undefined && usd === undefined
          ? NOTHING
          : await server.raiseBudget({ run, ...(turns && { turns }), ...(usd && { usd }) });
      if (!raised.ok || parallel === undefined || parallel === limits.parallel) return raised;
      return server.setLimits({ run, parallel });
    });
  };
  return (
    <details className="node-panel">
      <summary>Mode, budget and limits of the run</summary>
      <form className="answer" ref={form} onSubmit={onSubmit}>
        <div className="field-row">
          <div className="field">
            <label htmlFor={ids.mode}>Mode</label>
            <select
              id={ids.mode}
              value={mode}
              disabled={isPending}
              onChange={({ target }) =>
                act(() => server.setMode({ run, mode: target.value === 'AUTO' ? 'AUTO' : 'INTERACTIVE' }))
              }
            >
              <option value="AUTO">continues by itself</option>
              <option value="INTERACTIVE">waits for your message</option>
            </select>
          </div>
          <div className="field">
            <label htmlFor={ids.global}>Work</label>
            <select
              id={ids.global}
              value={globalMode}
              disabled={isPending}
              onChange={({ target }) =>
                act(() =>
                  server.setMode({
                    run,
                    globalMode: target.value === 'PLANNING' ? 'PLANNING' : 'IMPLEMENTATION',
                  }),
                )
              }
            >
              <option value="PLANNING">planning</option>
              <option value="IMPLEMENTATION">implementation</option>
            </select>
          </div>
          <div className="field">
            <label htmlFor={ids.turns}>New limit of turns</label>
            <input
              id={ids.turns}
              name="turns"
              type="number"
              min="1"
              placeholder={String(team.budget?.turns.limit ?? '')}
            />
          </div>
          <div className="field">
            <label htmlFor={ids.usd}>New limit of $</label>
            <input
              id={ids.usd}
              name="usd"
              type="number"
              min="0.01"
              step="any"
              placeholder={String(team.budget?.usd.limit ?? '')}
            />
          </div>
          <div className="field">
            <label htmlFor={ids.parallel}>Turns at once</label>
            <input
              id={ids.parallel}
              name="parallel"
              type="number"
              min="1"
              max="256"
              defaultValue={limits.parallel}
            />
          </div>
        </div>
        <div className="buttons">
          <button type="submit" disabled={isPending}>
            Change budget and limits
          </button>
        </div>
        <ProblemView error={error} />
      </form>
    </details>
  );
}

const NOTHING = { ok: true, value: undefined } as const;
