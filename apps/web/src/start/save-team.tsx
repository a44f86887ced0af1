import type { RunView } from '@cuebook/api';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from '../ui/dialog.js';
import { ProblemView } from '../ui/problem.js';
import { Verbatim } from '../ui/text.js';
import { queries } from '../wire/queries.js';
import { need, server } from '../wire/server.js';
import { teamFileOf } from './team-file.js';

/** Keeps the team of a run as a file, to start it again. A file that is there already is not written over. */
export function SaveTeam({ team }: { readonly team: RunView }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Save as team file
      </button>
      {isOpen && (
        <Dialog open title="Save as team file" onClose={() => setOpen(false)}>
          <SaveForm team={team} />
        </Dialog>
      )}
    </>
  );
}

function SaveForm({ team }: { readonly team: RunView }): ReactNode {
  const [name, setName] = useState('');
  const id = useId();
  const text = teamFileOf(team);
  const path = `teams/${name.trim()}.yaml`;
  const save = useMutation({
    mutationFn: async () => {
      await need(server.saveFile({ path, text, ifMatch: 'absent' }));
      await queries.invalidateQueries({ queryKey: ['teams'] });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="answer" onSubmit={onSubmit}>
      <div className="field">
        <label htmlFor={id}>Name</label>
        <input
          id={id}
          required
          pattern="[A-Za-z0-9_\-]+"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <Verbatim label="The team file" text={text} />
      <div className="buttons">
        <button type="submit" className="main-button" disabled={save.isPending || save.isSuccess}>
          Save
        </button>
        {save.isSuccess && (
          <span role="status">
            Saved as <code>{path}</code>.
          </span>
        )}
      </div>
      <ProblemView error={save.error} />
    </form>
  );
}
