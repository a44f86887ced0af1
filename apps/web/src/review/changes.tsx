import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Story, TurnItem } from '../run/story.js';
import { useAct } from '../ui/act.js';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Switch } from '../ui/switch.js';
import { artifactQuery } from '../wire/queries.js';
import { server } from '../wire/server.js';
import { ApplyPanel } from './apply-panel.js';
import { commentMessage, type LineComment } from './comments.js';
import { FileReview } from './file-review.js';
import { splitPatch } from './split-patch.js';

/** What the turns of a run, or of one agent, changed, by turn and file; and how it comes into the project. */
export default function Changes(props: {
  readonly run: string;
  readonly story: Story;
  readonly selected: string | undefined;
}): ReactNode {
  const { run, story, selected } = props;
  const [isSplit, setSplit] = useState(false);
  const names = new Map(story.agents.map(({ id, name }) => [id, name]));
  const turns = story.items
    .filter((item) => item.kind === 'turn')
    .filter(({ diff, agent }) => diff?.artifact != null && (selected === undefined || agent === selected));
  return (
    <div className="changes">
      <ApplyPanel run={run} node={selected} />
      {turns.length === 0 ? (
        <p className="quiet">No turn has changed a file.</p>
      ) : (
        <Switch
          label="How changes are shown"
          value={isSplit ? 'split' : 'unified'}
          options={LAYOUTS}
          onChange={(layout) => setSplit(layout === 'split')}
        />
      )}
      {turns.toReversed().map((turn) => (
        <TurnChanges
          key={turn.id}
          run={run}
          turn={turn}
          name={names.get(turn.agent) ?? turn.agent}
          isSplit={isSplit}
        />
      ))}
    </div>
  );
}

const LAYOUTS = [
  { value: 'unified', label: 'Unified' },
  { value: 'split', label: 'Side by side' },
] as const;

function TurnChanges(props: {
  readonly run: string;
  readonly turn: TurnItem;
  readonly name: string;
  readonly isSplit: boolean;
}): ReactNode {
  const { run, turn, name } = props;
  const { data, error } = useQuery(artifactQuery(run, turn.diff?.artifact ?? ''));
  const files = data === undefined ? [] : splitPatch(data.text);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const [comments, setComments] = useState<readonly LineComment[]>([]);
  const { act, isPending, error: refused } = useAct(run);
  const toggle = (file: string) =>
    setSeen(new Set(seen.has(file) ? [...seen].filter((each) => each !== file) : [...seen, file]));
  const keep = (comment: LineComment) =>
    setComments((before) => [
      ...before.filter(({ file, row }) => file !== comment.file || row !== comment.row),
      ...(comment.text === '' ? [] : [comment]),
    ]);
  const send = () =>
    act(async () => {
      const said = await server.messageNode({ run, node: turn.agent, text: commentMessage(comments) });
      if (said.ok) setComments([]);
      return said;
    });
  return (
    <section className="card">
      <header className="screen-head">
        <h2>
          {plain(name)}, turn {turn.number} <span className="quiet">{counted(files.length, 'file')}</span>
        </h2>
        {comments.length > 0 && (
          <button type="button" className="main-button" disabled={isPending} onClick={send}>
            Send {counted(comments.length, 'comment')} to {plain(name)}
          </button>
        )}
      </header>
      <ProblemView error={error ?? refused} />
      {files.map(({ file, patch, added, removed }) => (
        <div key={file} className="changed-file">
          <label>
            <input type="checkbox" checked={seen.has(file)} onChange={() => toggle(file)} /> looked at{' '}
            <span className="quiet">
              +{added} −{removed}
            </span>
          </label>
          {seen.has(file) ? (
            <p className="quiet">{plain(file)}</p>
          ) : (
            <FileReview
              file={file}
              patch={patch}
              isSplit={props.isSplit}
              comments={comments.filter((each) => each.file === file)}
              onComment={keep}
            />
          )}
        </div>
      ))}
    </section>
  );
}
