import type { PersonView } from '@cuebook/api';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../shell/keys.js';
import { useSelection } from '../shell/selection.js';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Ago } from '../ui/time.js';
import { meQuery, peopleQuery, queries } from '../wire/queries.js';
import { need, server } from '../wire/server.js';
import { AddPerson } from './add-person.js';
import { Limits } from './limits.js';
import { RemovePerson } from './remove-person.js';
import { ROLES } from './roles.js';
import { ToldToken, type ToldTokenView } from './told-token.js';

/** Who may do what in the project. Owners decide. */
export function PeopleScreen(): ReactNode {
  const me = useQuery(meQuery);
  const isOwner = me.data?.role === 'owner';
  const { data: people, error } = useQuery({ ...peopleQuery, enabled: isOwner });
  const [over, setOver] = useState<'none' | 'add' | PersonView>('none');
  const [told, setTold] = useState<ToldTokenView>();
  const { selected, listRef, keys } = useSelection((people ?? []).map(({ name }) => name));
  const chosen = people?.find(({ name }) => name === selected);
  useKeys(
    'People',
    isOwner
      ? [
          ...keys,
          { keys: 'a', label: 'Add a person', run: () => setOver('add') },
          { keys: 'x', label: 'Remove the selected person', run: () => chosen && setOver(chosen) },
        ]
      : [],
  );
  return (
    <section className="screen">
      <header className="screen-head">
        <h1>People</h1>
        {isOwner && (
          <button type="button" className="main-button" onClick={() => setOver('add')}>
            Add a person <kbd>a</kbd>
          </button>
        )}
      </header>
      <ProblemView error={me.error ?? error} />
      {me.data !== undefined && (
        <p className="quiet">
          You are {me.data.name === me.data.role ? me.data.role : `${plain(me.data.name)}, ${me.data.role}`}.
          This role {ROLES[me.data.role]}
        </p>
      )}
      {me.data !== undefined && !isOwner && (
        <Empty title="Owners manage who works with the project.">
          <p>Ask one of them for another role, or for a token for somebody else.</p>
        </Empty>
      )}
      {told && <ToldToken told={told} onClose={() => setTold(undefined)} />}
      {people?.length === 0 && (
        <Empty title="Only you, with the link of the server.">
          <p>
            Add a person: they get a role and a token of their own, which you can revoke. On a terminal:{' '}
            <code>cuebook people add NAME --role viewer</code>
          </p>
        </Empty>
      )}
      <div className="rows" ref={listRef}>
        {people?.map((person) => (
          <PersonRow
            key={person.name}
            person={person}
            isSelected={person.name === selected}
            onTold={setTold}
            onRemove={() => setOver(person)}
          />
        ))}
      </div>
      {me.data !== undefined && <Limits isOwner={isOwner} />}
      {over === 'add' && <AddPerson onClose={() => setOver('none')} onTold={setTold} />}
      {typeof over === 'object' && <RemovePerson person={over} onClose={() => setOver('none')} />}
    </section>
  );
}

function PersonRow(props: {
  readonly person: PersonView;
  readonly isSelected: boolean;
  readonly onTold: (told: ToldTokenView) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const { name, role, email, addedAt, addedBy, tokens } = props.person;
  const act = useMutation({
    mutationFn: async (work: () => Promise<unknown>) => {
      await work();
      await queries.invalidateQueries({ queryKey: ['people'] });
    },
  });
  const setRole = (next: string) =>
    act.mutate(() => need(server.setPersonRole({ person: name, role: next as PersonView['role'] })));
  const addToken = () =>
    act.mutate(async () => props.onTold(await need(server.addPersonToken({ person: name }))));
  return (
    <article className="row" data-key={name} data-selected={props.isSelected} aria-label={name}>
      <span className="row-main">
        <span className="strong">{plain(name)}</span>
        <span className="quiet">
          {email !== null && `${plain(email)} · `}
          {counted(tokens.length, 'token')} · added <Ago at={addedAt} /> by {plain(addedBy)}
        </span>
        <ProblemView error={act.error} />
      </span>
      <select
        aria-label={`Role of ${name}`}
        value={role}
        disabled={act.isPending}
        onChange={(event) => setRole(event.target.value)}
      >
        {Object.keys(ROLES).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <button type="button" disabled={act.isPending} onClick={addToken}>
        Another token
      </button>
      <button type="button" onClick={props.onRemove}>
        Remove
      </button>
    </article>
  );
}
