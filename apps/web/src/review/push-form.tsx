import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { need, server } from '../wire/server.js';

/** Sends what was committed to a branch of the project's remote. */
export function PushForm(): ReactNode {
  const [branch, setBranch] = useState('');
  const id = useId();
  const push = useMutation({ mutationFn: () => need(server.pushWork({ branch: branch.trim() })) });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (branch.trim() !== '') push.mutate();
  };
  return (
    <form className="answer" onSubmit={onSubmit}>
      <div className="field">
        <label htmlFor={id}>Branch to push to</label>
        <input id={id} value={branch} onChange={(event) => setBranch(event.target.value)} />
      </div>
      <div className="buttons">
        <button type="submit" disabled={push.isPending || branch.trim() === ''}>
          Push
        </button>
        {push.data && (
          <span className="good" role="status">
            Pushed {push.data.commit.slice(0, 10)} to {plain(push.data.branch)} of {plain(push.data.remote)}.
          </span>
        )}
      </div>
      <ProblemView error={push.error} />
    </form>
  );
}
