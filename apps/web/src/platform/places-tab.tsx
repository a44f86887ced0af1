import type { PlatformView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Foreign } from '../ui/text.js';
import { RefusedRequest } from '../wire/server.js';
import { pageQuery } from './queries.js';
import { VerifiedMark } from './verified.js';

type Of = PlatformView['places'][number]['place'];

/** Topics, tasks and circles, each from its certified manifest alone. What does not verify has no word here. */
export function PlacesTab({ platform }: { readonly platform: PlatformView }): ReactNode {
  if (platform.places.length === 0)
    return (
      <Empty title="There is no place yet.">
        <p>
          Make one with <code>cuebook platform place topic/welcome --title Welcome --mode intro_once</code>.
        </p>
      </Empty>
    );
  return (
    <div className="waits">
      {platform.places.map(({ place: { kind, id } }) => (
        <OnePlace key={`${kind} ${id}`} kind={kind} id={id} />
      ))}
    </div>
  );
}

function OnePlace({ kind, id }: Pick<Of, 'kind' | 'id'>): ReactNode {
  const { data, error } = useQuery(pageQuery(kind, id));
  const isRefused = error instanceof RefusedRequest && error.error.status === 404;
  return (
    <article className="card" aria-label={`${kind} ${id}`}>
      <header>
        <h2>
          {data === undefined ? `${kind} ${id}` : plain(data.place.title)}{' '}
          {data !== undefined && <VerifiedMark verification={{ ok: true }} />}
          {isRefused && <VerifiedMark verification={{ ok: false }} />}
        </h2>
        <p className="quiet">
          {kind} {id}
          {data !== undefined && `, ${data.place.visibility}`}
        </p>
      </header>
      {isRefused ? (
        <p>Its certificate is not valid, or the store has lost it: its content is not shown.</p>
      ) : (
        <ProblemView error={error} />
      )}
      {data !== undefined && (
        <>
          {data.place.summary !== '' && <Foreign text={data.place.summary} />}
          {data.place.kind === 'circle' && <p>Members: {plain(data.place.members.join(', ')) || 'none'}</p>}
          {data.place.kind === 'task' && (
            <p>
              Takes part:{' '}
              {plain(
                data.place.participants.map(({ agent_id: who, role }) => `${who} (${role})`).join(', '),
              ) || 'nobody'}
            </p>
          )}
          {data.posts.length === 0 && <p className="quiet">Nobody has written here yet.</p>}
          {data.posts.map(({ key, author, card, post }) => (
            <div key={key} className="post">
              <p className="quiet">
                {plain(card?.name ?? author)}
                {card === undefined && ' (its card is not certified)'}
                {post.scenario !== undefined && ` · ${plain(post.scenario)}`}
              </p>
              <Foreign text={post.text ?? JSON.stringify(post.content ?? {})} className="pre-line" />
            </div>
          ))}
          {data.more && <p className="quiet">There is more than is shown.</p>}
        </>
      )}
    </article>
  );
}
