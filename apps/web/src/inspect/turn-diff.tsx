import type { TurnView } from '@cuebook/api';
import { type DiffSide, diffPrompts, type PromptDiff, type ValueChange } from '@cuebook/prompt/diff';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useMemo } from 'react';
import { PatchView } from '../ui/patch.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { recordedQuery } from '../wire/queries.js';
import { useTurnBefore } from './turn-before.js';

/** What a turn was told that another was not: what is demanded first, then by source, tools and settings. */
export default function TurnDiff(props: {
  readonly run: string;
  readonly turn: TurnView;
  readonly against: string | undefined;
  readonly onAgainst: (turn: string | undefined) => void;
}): ReactNode {
  const { run, turn, against } = props;
  const id = useId();
  const { data: recorded } = useQuery(recordedQuery(run));
  const before = useTurnBefore({ run, turn, against, isWanted: true });
  const diff = useMemo(
    () => (before.data ? diffPrompts(subjectOf(before.data), subjectOf(turn)) : undefined),
    [before.data, turn],
  );
  return (
    <div className="waits">
      <div className="field">
        <label htmlFor={id}>Compared with</label>
        <select
          id={id}
          value={against ?? ''}
          onChange={({ target }) => props.onAgainst(target.value || undefined)}
        >
          <option value="">the turn before, of the same agent</option>
          {(recorded?.turns ?? [])
            .filter((each) => each.turn !== turn.turn)
            .map((each) => (
              <option key={each.turn} value={each.turn}>
                {plain(each.lane)} · {new Date(each.at).toLocaleTimeString()} · event {each.seq}
              </option>
            ))}
        </select>
      </div>
      <ProblemView error={before.error} />
      {before.isPending && <p className="quiet">Reading the other turn …</p>}
      {before.data === null && <p className="quiet">This is the first turn of its agent.</p>}
      {diff && <Differences diff={diff} />}
    </div>
  );
}

function Differences({ diff }: { readonly diff: PromptDiff }): ReactNode {
  const { obligations, tools, params, labels } = diff;
  const values = [...tools.changed, ...params];
  return (
    <>
      {diff.same && <p>Not one byte differs.</p>}
      <Lines title="What is demanded" added={texts(obligations.added)} dropped={texts(obligations.dropped)} />
      <Lines title="Tools" added={tools.added} dropped={tools.dropped} />
      <Lines
        title="Settings"
        added={values.filter(({ after }) => after !== undefined).map((each) => valueLine(each, each.after))}
        dropped={values
          .filter(({ before }) => before !== undefined)
          .map((each) => valueLine(each, each.before))}
      />
      <Lines
        title="Labels"
        added={labels.map(({ origin, label, after }) => `${origin}: ${label} ${after.join(', ')}`)}
        dropped={labels.map(({ origin, label, before }) => `${origin}: ${label} ${before.join(', ')}`)}
      />
      {diff.origins.map((change) => (
        <PatchView key={change.origin} file={`${change.origin} (${change.change})`} patch={patchOf(change)} />
      ))}
    </>
  );
}

function Lines(props: {
  readonly title: string;
  readonly added: readonly string[];
  readonly dropped: readonly string[];
}): ReactNode {
  if (props.added.length + props.dropped.length === 0) return null;
  return (
    <section className="card">
      <h2>{props.title}</h2>
      {props.dropped.map((text) => (
        <p key={text} className="bad">
          − {plain(text)}
        </p>
      ))}
      {props.added.map((text) => (
        <p key={text} className="good">
          + {plain(text)}
        </p>
      ))}
    </section>
  );
}

const texts = (all: readonly { readonly text: string }[]): readonly string[] => all.map(({ text }) => text);
const valueLine = ({ path }: ValueChange, value: unknown): string => `${path}: ${JSON.stringify(value)}`;

const patchOf = ({ removedLines, addedLines }: PromptDiff['origins'][number]): string =>
  [...removedLines.map((line) => `-${line}`), ...addedLines.map((line) => `+${line}`)].join('\n');

const subjectOf = ({ full }: TurnView): DiffSide =>
  ({ prompt: { ...full, redactions: [] }, tools: full.tools, params: full.params }) as unknown as DiffSide;
