import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef } from 'react';
import { useAct } from '../ui/act.js';
import { Dialog } from '../ui/dialog.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { providersQuery, rolesQuery } from '../wire/queries.js';
import { server } from '../wire/server.js';
import type { RunSpeaker } from './story.js';

/** Adds an agent to a team; joined with another where the way was drawn from one. */
export function AddNode(props: {
  readonly run: string;
  readonly from: RunSpeaker | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const { run, from, onClose } = props;
  const { data: roles } = useQuery(rolesQuery);
  const { data: providers } = useQuery(providersQuery);
  const { act, isPending, error } = useAct(run);
  const form = useRef<HTMLFormElement>(null);
  const ids = { name: useId(), role: useId(), provider: useId(), workspace: useId(), task: useId() };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const fields = new FormData(form.current as HTMLFormElement);
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    act(async () => {
      const added = await server.addNode({
        ...{ run, label: text('name'), alias: text('name'), role: text('role'), provider: text('provider') },
        workspace: text('workspace') === 'own' ? 'own' : 'shared',
      });
      if (!added.ok) return added;
      const { node } = added.value;
      const joined = from ? await server.addEdge({ run, from: from.id, to: node }) : added;
      if (!joined.ok) return joined;
      const told = text('task') === '' ? added : await server.messageNode({ run, node, text: text('task') });
      if (told.ok) onClose();
      return told;
    });
  };
  return (
    <Dialog
      open
      title={from ? `A new agent that ${plain(from.name)} can send to` : 'A new agent'}
      onClose={onClose}
    >
      <form className="answer" ref={form} onSubmit={onSubmit}>
        <div className="field">
          <label htmlFor={ids.name}>Name</label>
          <input
            id={ids.name}
            name="name"
            required
            pattern="[A-Za-z0-9][A-Za-z0-9_\-]{0,63}"
            title="letters, digits, dash and underscore"
          />
        </div>
        <div className="field-row">
          <div className="field">
            <label htmlFor={ids.role}>Role</label>
            <select id={ids.role} name="role">
              {(roles?.roles ?? [])
                .filter(({ usable }) => usable)
                .map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor={ids.provider}>Provider</label>
            <select
              id={ids.provider}
              name="provider"
              key={providers?.default}
              defaultValue={providers?.default}
            >
              {(providers?.providers ?? []).map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor={ids.workspace}>Folder</label>
            <select id={ids.workspace} name="workspace">
              <option value="own">its own</option>
              <option value="shared">the project’s</option>
            </select>
          </div>
        </div>
        <div className="field">
          <label htmlFor={ids.task}>Its first message (left empty: it waits)</label>
          <textarea id={ids.task} name="task" rows={2} />
        </div>
        <div className="buttons">
          <button type="submit" className="main-button" disabled={isPending}>
            Add
          </button>
        </div>
        <ProblemView error={error} />
      </form>
    </Dialog>
  );
}
