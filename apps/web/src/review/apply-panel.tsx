import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { lookAgain } from '../wire/queries.js';
import { need, server } from '../wire/server.js';
import { PushForm } from './push-form.js';

/** Brings the work of a run or an agent, or some files of it, into the project, or throws it away. What would happen is shown first. */
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
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [message, setMessage] = useState('');
  const id = useId();
  const { files = [], conflicts = [] } = preview.data ?? {};
  const all = [...new Map([...files, ...conflicts].map((each) => [each.path, each])).values()];
  const chosen = all.filter(({ path }) => !left.has(path)).map(({ path }) => path);
  const against = conflicts.filter(({ path }) => !left.has(path));
  const apply = useMutation({
    mutationFn: async () => {
      const commit = message.trim();
      const done = await need(
        server.applyWork({
          ...of,
          ...(commit !== '' && { commit }),
          ...(chosen.length < all.length && { files: chosen }),
        }),
      );
      await lookAgain(run);
      return done;
    },
  });
  if (preview.error) return <p className="quiet">This run has no folders whose changes could be applied.</p>;
  const toggle = (path: string) =>
    setLeft(new Set(left.has(path) ? [...left].filter((each) => each !== path) : [...left, path]));
  return (
    <section className="card">
      <h2>Into the project</h2>
      {all.length === 0 && preview.isSuccess && <p className="quiet">Nothing is left to apply.</p>}
      {all.length > 0 && (
        <>
          <ul className="file-list">
            {all.map((file) => (
              <li key={file.path}>
                <label>
                  <input type="checkbox" checked={!left.has(file.path)} onChange={() => toggle(file.path)} />{' '}
                  <code>{plain(file.path)}</code>{' '}
                  {'why' in file ? (
                    <span className="bad">conflict: {CONFLICTS[file.why]}</span>
                  ) : (
                    <span className="quiet">{file.change}</span>
                  )}
                </label>
              </li>
            ))}
          </ul>
          {against.length > 0 && (
            <p className="bad">
              Leave out {counted(against.length, 'file')} with a conflict, or change your own file first.
            </p>
          )}
          <div className="field">
            <label htmlFor={id}>Message of a commit (left empty: nothing is committed)</label>
            <input id={id} value={message} onChange={(event) => setMessage(event.target.value)} />
          </div>
          <div className="buttons">
            <button
              type="button"
              className="main-button"
              disabled={apply.isPending || against.length > 0 || chosen.length === 0}
              onClick={() => apply.mutate()}
            >
              Apply {counted(chosen.length, 'file')}
              {message.trim() !== '' && ' and commit'}
            </button>
            <Discard of={of} />
          </div>
        </>
      )}
      {apply.data && (
        <p className="good" role="status">
          Applied {counted(apply.data.files.length, 'file')}
          {apply.data.committed !== null && `, committed as ${apply.data.committed.slice(0, 10)}`}.
        </p>
      )}
      {apply.data?.committed != null && <PushForm />}
      <ProblemView error={apply.error} />
    </section>
  );
}

function Discard({ of }: { readonly of: { readonly run: string; readonly node?: string } }): ReactNode {
  const [isSure, setSure] = useState(false);
  const discard = useMutation({
    mutationFn: async () => {
      const done = await need(server.cleanWork({ ...of, discard: true }));
      await lookAgain(of.run);
      return done;
    },
  });
  if (discard.data)
    return <p role="status">The folders of {counted(discard.data.removed.length, 'agent')} were removed.</p>;
  return (
    <>
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
      <ProblemView error={discard.error} />
    </>
  );
}

const CONFLICTS = {
  'both-changed': 'you and the agent changed the same place',
  deleted: 'one of you deleted it and the other changed it',
  'in-the-way': 'something of yours is in the way',
} as const;
