import type { PersonView } from '@cuebook/api';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from '../ui/dialog.js';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Ago } from '../ui/time.js';
import { queries } from '../wire/queries.js';
import { need, server } from '../wire/server.js';

/** Takes tokens of somebody back: one, or all of them with the role. */
export function RemovePerson(props: {
  readonly person: PersonView;
  readonly onClose: () => void;
}): ReactNode {
  const { name, tokens } = props.person;
  const act = useMutation({
    mutationFn: async (work: () => Promise<unknown>) => {
      await work();
      await queries.invalidateQueries({ queryKey: ['people'] });
      props.onClose();
    },
  });
  return (
    <Dialog open title={`Remove ${name}`} onClose={props.onClose}>
      <p>
        {plain(name)} has {counted(tokens.length, 'token')}. A revoked token no longer works, and what is open
        with it ends at once.
      </p>
      <ul className="plain-list">
        {tokens.map(({ id, issuedAt, expiresAt }) => (
          <li key={id} className="buttons">
            <code>{id}</code>
            <span className="quiet">
              issued <Ago at={issuedAt} />
              {expiresAt !== null && `, until ${new Date(expiresAt).toLocaleString()}`}
            </span>
            <button
              type="button"
              disabled={act.isPending}
              onClick={() => act.mutate(() => need(server.revokePersonToken({ person: name, token: id })))}
            >
              Revoke this token
            </button>
          </li>
        ))}
      </ul>
      <ProblemView error={act.error} />
      <div className="buttons">
        <button
          type="button"
          className="main-button"
          disabled={act.isPending}
          onClick={() => act.mutate(() => need(server.removePerson({ person: name })))}
        >
          Revoke everything of {plain(name)}
        </button>
        <button type="button" onClick={props.onClose}>
          Leave it
        </button>
      </div>
    </Dialog>
  );
}
