import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Story, TurnItem } from '../run/story.js';
import { counted } from '../ui/numbers.js';
import { Patch } from '../ui/patch.js';
import { plain } from '../ui/plain.js';
import { Problem } from '../ui/problem.js';
import { artifactQuery } from '../wire/queries.js';
import { ApplyPanel } from './apply-panel.js';
import { splitPatch } from './split-patch.js';

/** What the turns of a run, or of one agent, changed, by turn and file; and how it comes into the project. */
export default function Changes(props: {
  readonly run: string;
  readonly story: Story;
  readonly selected: string | undefined;
}): ReactNode {
  const { run, story, selected } = props;
  const names = new Map(story.agents.map(({ id, name }) => [id, name]));
  const turns = story.items
    .filter((item) => item.kind === 'turn')
    .filter(({ diff, agent }) => diff?.artifact != null && (selected === undefined || agent === selected));
  return (
    <div className="changes">
      <ApplyPanel run={run} node={selected} />
      {turns.length === 0 && <p className="quiet">No turn has changed a file.</p>}
      {turns.toReversed().map((turn) => (
        <TurnChanges key={turn.id} run={run} turn={turn} name={names.get(turn.agent) ?? turn.agent} />
      ))}
    </div>
  );
}

function TurnChanges({
  run,
  turn,
  name,
}: {
  readonly run: string;
  readonly turn: TurnItem;
  readonly name: string;
}): ReactNode {
  const { data, error } = useQuery(artifactQuery(run, turn.diff?.artifact ?? ''));
  const files = data === undefined ? [] : splitPatch(data.text);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (file: string) =>
    setSeen(new Set(seen.has(file) ? [...seen].filter((each) => each !== file) : [...seen, file]));
  return (
    <section className="card">
      <h2>
        {plain(name)}, turn {turn.number} <span className="quiet">{counted(files.length, 'file')}</span>
      </h2>
      <Problem error={error} />
      {files.map(({ file, patch, added, removed }) => (
        <div key={file} className="changed-file">
          <label>
            <input type="checkbox" checked={seen.has(file)} onChange={() => toggle(file)} /> looked at{' '}
            <span className="quiet">
              +{added} −{removed}
            </span>
          </label>
          {seen.has(file) ? <p className="quiet">{plain(file)}</p> : <Patch file={file} patch={patch} />}
        </div>
      ))}
    </section>
  );
}
