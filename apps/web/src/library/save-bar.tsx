import type { TargetSourceView } from '@cuebook/api';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Verbatim } from '../ui/text.js';
import { queries } from '../wire/queries.js';
import { need, RefusedRequest, server } from '../wire/server.js';
import type { PromptDraft } from './drafts.js';

/** Saves a file, or says that it was changed meanwhile: nothing of anybody's is written over unread. */
export function SaveBar(props: {
  readonly source: TargetSourceView;
  readonly file: TargetSourceView['files'][number];
  readonly draft: PromptDraft | undefined;
  readonly onDraft: (path: string, draft: PromptDraft | undefined) => void;
  /** The editor is to show another text. */
  readonly onAgain: () => void;
}): ReactNode {
  const { file, draft, onDraft } = props;
  const { path, text, sha256 } = file;
  const lookAgain = () => queries.invalidateQueries({ queryKey: ['source'] });
  const save = useMutation({
    mutationFn: async ({ text: next, base }: PromptDraft) => {
      await need(server.saveFile({ path, text: next, ifMatch: base }));
      await lookAgain();
      await queries.invalidateQueries({ queryKey: ['render'] });
    },
    onSuccess: () => onDraft(path, undefined),
    // What is on the disk now is what the person has to see.
    onError: () => lookAgain(),
  });
  const isConflict =
    draft !== undefined &&
    draft.base !== sha256 &&
    !save.isPending &&
    save.error instanceof RefusedRequest &&
    save.error.error.code === 'E_FILE_CHANGED';
  const drop = () => {
    onDraft(path, undefined);
    save.reset();
    props.onAgain();
  };
  return (
    <>
      <div className="buttons">
        <button
          type="button"
          id="save-file"
          className="main-button"
          disabled={draft === undefined || save.isPending || isConflict}
          onClick={() => draft !== undefined && save.mutate(draft)}
        >
          Save
        </button>
        <button type="button" disabled={draft === undefined} onClick={drop}>
          Discard my changes
        </button>
        <span className="quiet" role="status">
          {draft === undefined ? (save.isSuccess ? 'Saved.' : '') : 'Not saved yet.'}
        </span>
      </div>
      <ProblemView error={save.error} />
      {isConflict && (
        <section className="card" aria-label="Changed meanwhile">
          <p className="strong">{plain(path)} as it is on the disk now:</p>
          <Verbatim label="As it is on the disk" text={text} />
          <div className="buttons">
            <button type="button" onClick={drop}>
              Take this
            </button>
            <button type="button" onClick={() => save.mutate({ ...draft, base: sha256 })}>
              Overwrite it with mine
            </button>
          </div>
        </section>
      )}
    </>
  );
}
