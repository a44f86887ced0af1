import type { NodeView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef } from 'react';
import { useAct } from '../ui/act.js';
import { count, money } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { providersQuery, teamQuery } from '../wire/queries.js';
import { server } from '../wire/server.js';

/** What a node of a team is set up with, what it has spent, and forms to change both. */
export function NodePanel({ run, node: id }: { readonly run: string; readonly node: string }): ReactNode {
  const { data: team } = useQuery(teamQuery(run));
  const node = team?.nodes.find((each) => each.id === id);
  if (node === undefined) return null;
  const { budget, capabilities } = node;
  return (
    <details className="node-panel">
      <summary>
        {plain(node.alias ?? node.label)}: {plain(node.role)}, {plain(node.model ?? node.provider)}
        {budget &&
          ` · ${count(budget.turns.spent)} of ${count(budget.turns.limit)} turns · ${count(budget.tokens.spent)} tokens`}
        {budget && budget.usd.spent > 0 && ` · ${money(budget.usd.spent)}`} · settings
      </summary>
      <dl className="labels">
        <dt>may</dt>
        <dd>
          {RIGHTS.filter(([name]) => capabilities[name])
            .map(([, label]) => label)
            .join(', ') || 'only talk'}
        </dd>
        <dt>folder</dt>
        <dd>{typeof node.workspace === 'string' ? node.workspace : `with ${plain(node.workspace.with)}`}</dd>
        {node.hold && (
          <>
            <dt>held</dt>
            <dd>{plain(node.hold.message)}</dd>
          </>
        )}
      </dl>
      <Configure key={node.id} run={run} node={node} />
    </details>
  );
}

const RIGHTS = [
  ['writeCode', 'write code'],
  ['writeDocs', 'write docs'],
  ['runCommands', 'run commands'],
] as const;

function Configure({ run, node }: { readonly run: string; readonly node: NodeView }): ReactNode {
  const { data: providers } = useQuery(providersQuery);
  const { act, isPending, error } = useAct(run);
  const form = useRef<HTMLFormElement>(null);
  const ids = { provider: useId(), model: useId(), override: useId(), turns: useId(), usd: useId() };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const fields = new FormData(form.current as HTMLFormElement);
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    const to = {
      ...(text('provider') !== node.provider && { provider: text('provider') }),
      ...(text('model') !== (node.model ?? '') && { model: text('model') || null }),
      ...(text('override') !== (node.override ?? '') && { override: text('override') || null }),
      ...(RIGHTS.some(([name]) => fields.has(name) !== node.capabilities[name]) && {
        capabilities: Object.fromEntries(RIGHTS.map(([name]) => [name, fields.has(name)])),
      }),
    };
    const raise = {
      ...(text('turns') !== '' && { turns: Number(text('turns')) }),
      ...(text('usd') !== '' && { usd: Number(text('usd')) }),
    };
    act(async () => {
      const changed =
        Object.keys(to).length > 0 ? await server.configureNode({ run, node: node.id, ...to }) : NOTHING;
      if (!changed.ok || Object.keys(raise).length === 0) return changed;
      return server.raiseBudget({ run, node: node.id, ...raise });
    });
  };
  return (
    <form className="answer" ref={form} onSubmit={onSubmit}>
      <div className="field-row">
        <div className="field">
          <label htmlFor={ids.provider}>Provider</label>
          <select id={ids.provider} name="provider" defaultValue={node.provider}>
            {[...new Set([node.provider, ...(providers?.providers ?? []).map(({ name }) => name)])].map(
              (name) => (
                <option key={name}>{name}</option>
              ),
            )}
          </select>
        </div>
        <div className="field">
          <label htmlFor={ids.model}>Model</label>
          <input id={ids.model} name="model" defaultValue={node.model ?? ''} placeholder="the usual one" />
        </div>
        <div className="field">
          <label htmlFor={ids.turns}>New limit of turns</label>
          <input id={ids.turns} name="turns" type="number" min="1" />
        </div>
        <div className="field">
          <label htmlFor={ids.usd}>New limit of $</label>
          <input id={ids.usd} name="usd" type="number" min="0.01" step="any" />
        </div>
      </div>
      <fieldset className="role-list">
        <legend className="quiet">It may</legend>
        {RIGHTS.map(([name, label]) => (
          <label key={name}>
            <input type="checkbox" name={name} defaultChecked={node.capabilities[name]} /> {label}
          </label>
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor={ids.override}>Text at the end of every prompt</label>
        <textarea id={ids.override} name="override" rows={2} defaultValue={node.override ?? ''} />
      </div>
      <div className="buttons">
        <button type="submit" disabled={isPending}>
          Change from the next turn on
        </button>
        {node.hold && (
          <button
            type="button"
            className="main-button"
            disabled={isPending}
            onClick={() => act(() => server.resumeNode({ run, node: node.id }))}
          >
            Go on
          </button>
        )}
      </div>
      <ProblemView error={error} />
    </form>
  );
}

const NOTHING = { ok: true, value: undefined } as const;
