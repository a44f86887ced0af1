import type { TurnView } from '@cuebook/api';
import { type DiffSide, diffPrompts, type PromptDiff, type ValueChange } from '@cuebook/prompt/diff';
import { type ReactNode, useMemo } from 'react';
import { PatchView } from '../ui/patch.js';
import { plain } from '../ui/plain.js';
import { byWeight } from './by-weight.js';

/** What one prompt says that another does not: what is demanded first, then tools, settings, labels and words by source. */
export function Differences(props: {
  readonly before: TurnView['full'];
  readonly after: TurnView['full'];
}): ReactNode {
  const { before, after } = props;
  const diff = useMemo(() => diffPrompts(sideOf(before), sideOf(after)), [before, after]);
  const { obligations, tools, params, labels } = diff;
  const values = [...tools.changed, ...params];
  const { words, structure } = useMemo(() => byWeight(diff.origins), [diff]);
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
      {words.map((change) => (
        <PatchView key={change.origin} file={nameOf(change)} patch={patchOf(change)} />
      ))}
      {structure.length > 0 && (
        <details>
          <summary>Only structure differs</summary>
          {structure.map((change) => (
            <PatchView key={change.origin} file={nameOf(change)} patch={patchOf(change)} />
          ))}
        </details>
      )}
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

type OriginChange = PromptDiff['origins'][number];

const nameOf = ({ origin, change, from }: OriginChange): string =>
  `${origin} (${change}${from === undefined ? '' : ` from ${from}`})`;

const patchOf = ({ removedLines, addedLines }: OriginChange): string =>
  [...removedLines.map((line) => `-${line}`), ...addedLines.map((line) => `+${line}`)].join('\n');

const sideOf = ({ tools, params, ...prompt }: TurnView['full']): DiffSide =>
  ({ prompt: { ...prompt, redactions: [] }, tools, params }) as unknown as DiffSide;
