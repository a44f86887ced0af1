import { memo, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { plain } from '../ui/plain.js';
import { Scrolled } from '../ui/scrolled.js';
import type { LineComment } from './comments.js';
import { isTold, type PatchRow, pairRows, patchRows } from './patch-rows.js';

interface FileReviewProps {
  readonly file: string;
  readonly patch: string;
  readonly isSplit: boolean;
  readonly comments: readonly LineComment[];
  /** Empty words take a comment away. */
  readonly onComment: (comment: LineComment) => void;
}

/** The changes of one file, unified or side by side. A line can be commented on. */
export const FileReview = memo(function FileReview(props: FileReviewProps): ReactNode {
  const { file, patch, isSplit } = props;
  const rows = useMemo(
    () =>
      patchRows(patch)
        .filter(isTold)
        .map((row, index) => ({ ...row, id: index })),
    [patch],
  );
  const pairs = useMemo(
    () => (isSplit ? pairRows(rows) : rows.map((row) => ({ left: row, right: null }))),
    [rows, isSplit],
  );
  const [open, setOpen] = useState<PatchRow>();
  const commentOf = (row: PatchRow) =>
    props.comments.find((each) => each.row === row || sameLine(each.row, row));
  return (
    <figure className="patch">
      <figcaption>{plain(file)}</figcaption>
      <Scrolled label={`Changes of ${plain(file)}`}>
        {pairs.map(({ left, right }) => {
          const row = right ?? left;
          const said = row && commentOf(row);
          return (
            <div key={`${keyOf(left)} ${keyOf(right)}`}>
              <div className={isSplit ? 'review-line split' : 'review-line'}>
                <Side row={left} isSplit={isSplit} onOpen={setOpen} />
                {isSplit && <Side row={left === right ? left : right} isSplit isRight onOpen={setOpen} />}
              </div>
              {row && (open === row || (open && left === open)) ? (
                <CommentForm
                  row={open}
                  text={said?.text ?? ''}
                  onClose={() => setOpen(undefined)}
                  onSave={(text) => {
                    props.onComment({ file, row: open, text });
                    setOpen(undefined);
                  }}
                />
              ) : (
                said && <p className="line-comment">{plain(said.text)}</p>
              )}
            </div>
          );
        })}
      </Scrolled>
    </figure>
  );
});

const sameLine = (a: PatchRow, b: PatchRow): boolean =>
  a.kind === b.kind && a.old === b.old && a.now === b.now && a.text === b.text;

const keyOf = (row: PatchRow | null): string => (row === null ? '' : String((row as { id?: number }).id));

function Side(props: {
  readonly row: PatchRow | null;
  readonly isSplit: boolean;
  readonly isRight?: boolean;
  readonly onOpen: (row: PatchRow) => void;
}): ReactNode {
  const { row, isSplit, isRight = false } = props;
  if (row === null) return <span className="review-side none" />;
  const number = isSplit ? (isRight ? row.now : row.old) : (row.now ?? row.old);
  const sign = { added: '+', removed: '-', same: ' ', hunk: '', head: '' }[row.kind];
  return (
    <span className={`review-side ${row.kind}`}>
      {number === null ? (
        <span className="line-number" />
      ) : (
        <button
          type="button"
          className="line-number"
          aria-label={`Comment on line ${number}`}
          onClick={() => props.onOpen(row)}
        >
          {number}
        </button>
      )}
      <span className="review-text">
        {sign}
        {plain(row.text)}
      </span>
    </span>
  );
}

function CommentForm(props: {
  readonly row: PatchRow;
  readonly text: string;
  readonly onSave: (text: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const save = () => props.onSave(field.current?.value.trim() ?? '');
  return (
    <form
      className="line-comment answer"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.onClose();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
      }}
    >
      <div className="field">
        <label htmlFor={id}>Comment on line {props.row.now ?? props.row.old}</label>
        <textarea id={id} ref={field} rows={2} defaultValue={props.text} maxLength={2_000} />
      </div>
      <div className="buttons">
        <button type="submit" className="main-button">
          Keep comment
        </button>
        <button type="button" onClick={props.onClose}>
          Back
        </button>
      </div>
    </form>
  );
}
