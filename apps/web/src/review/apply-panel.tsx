import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Problem } from '../ui/problem.js';
import { lookAgain } from '../wire/queries.js';
import { need, server } from '../wire/server.js';

/** Brings the work of a run or an agent into the project, or throws it away. What would happen is shown first. */
export function ApplyPanel({
  run,
  node,
}: {
  readonly run: string;
  readonly node: string | undefined;
}): ReactNode {
  const of = { run, ...(node !== undefined && { node }) };
  const preview = useQuery({
    queryKey: ['run', run, 'apply', node ?? ''],
    queryFn: () => need(server.applyWork({ ...of, dryRun: true })),
    retry: false,
  });
  const [message, setMessage] = useState('');
  const [isSure, setSure] = useState(false);
  const id = useId();
  const apply = useMutation({
    mutationFn: async () => {
      const commit = message.trim();
      const done = await need(server.applyWork({ ...of, ...(commit !== '' && { commit }) }));
      await lookAgain(run);
      return done;
    },
  });
  const discard = useMutation({
    mutationFn: async () => {
      const done = await need(server.cleanWork({ ...of, discard: true }));
      await lookAgain(run);
      return done;
    },
  });
  const { files = [], conflicts = [] } = preview.data ?? {};
  if (preview.error) return <p className="quiet">This run has no folders whose changes could be applied.</p>;
  return (
    <section className="card">
      <h2>Into the project</h2>
      {files.length === 0 && conflicts.length === 0 && preview.isSuccess && (
        <p className="quiet">Nothing is left to apply.</p>
      )}
      {conflicts.map(({ path, why }) => (
        <p key={path} className="bad">
          {plain(path)}: {CONFLICTS[why]}
        </p>
      ))}
      {files.length > 0 && (
        <>
          <ul className="file-list">
            {files.map(({ path, change }) => (
              <li key={path}>
                <code>{plain(path)}</code> <span className="quiet">{change}</span>
              </li>
            ))}
          </ul>
          <div className="field">
            <label htmlFor={id}>Message of a commit (left empty: nothing is committed)</label>
            <input id={id} value={message} onChange={(event) => setMessage(event.target.value)} />
          </div>
          <div className="buttons">
            <button
              type="button"
              className="main-button"
              disabled={apply.isPending || conflicts.length > 0}
              onClick={() => apply.mutate()}
            >
              Apply {counted(files.length, 'file')}
              {message.trim() !== '' && ' and commit'}
            </button>
            {isSure ? (
              <>
                <button type="button" disabled={discard.isPending} onClick={() => discard.mutate()}>
                  Discard for good
                </button>
                <button type="button" onClick={() => setSure(false)}>
                  Keep it
                </button>
              </>
            ) : (
              <button type="button" onClick={() => setSure(true)}>
                Discard …
              </button>
            )}
          </div>
        </>
      )}
      {apply.data && (
        <p className="good" role="status">
          Applied {counted(apply.data.files.length, 'file')}
          {apply.data.committed !== null && `, committed as ${apply.data.committed.slice(0, 10)}`}.
        </p>
      )}
      {discard.data && (
        <p role="status">The folders of {counted(discard.data.removed.length, 'agent')} were removed.</p>
      )}
      <Problem error={apply.error ?? discard.error} />
    </section>
  );
}

const CONFLICTS = {
  'both-changed': 'you and the agent changed the same place',
  deleted: 'one of you deleted it and the other changed it',
  'in-the-way': 'something of yours is in the way',
} as const;
