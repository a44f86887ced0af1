import type { PersonView } from '@cuebook/api';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../ui/dialog.js';
import { ProblemView } from '../ui/problem.js';
import { queries } from '../wire/queries.js';
import { need, server } from '../wire/server.js';
import { ROLES } from './roles.js';
import type { ToldTokenView } from './told-token.js';

/** Gives somebody a role and a first token. */
export function AddPerson(props: {
  readonly onClose: () => void;
  readonly onTold: (told: ToldTokenView) => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [role, setRole] = useState<PersonView['role']>('viewer');
  const add = useMutation({
    mutationFn: async () => {
      props.onTold(await need(server.addPerson({ name: name.trim(), role })));
      await queries.invalidateQueries({ queryKey: ['people'] });
      props.onClose();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <Dialog open title="Add a person" onClose={props.onClose}>
      <form className="answer" onSubmit={send}>
        <p className="field">
          <label htmlFor="person-name">Name: a-z, digits and . _ @ + -</label>
          <input
            id="person-name"
            autoComplete="off"
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </p>
        <p className="field">
          <label htmlFor="person-role">Role</label>
          <select
            id="person-role"
            value={role}
            onChange={(event) => setRole(event.target.value as PersonView['role'])}
          >
            {Object.keys(ROLES).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </p>
        <p className="quiet">
          A {role} {ROLES[role]}
        </p>
        <ProblemView error={add.error} />
        <div className="buttons">
          <button type="submit" className="main-button" disabled={add.isPending || name.trim() === ''}>
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}
