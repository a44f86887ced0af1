import type { TurnView } from '@cuebook/api';
import { diffPrompts, type Subject } from '@cuebook/prompt/diff';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Patch } from '../ui/patch.js';
import { plain } from '../ui/plain.js';
import { Problem } from '../ui/problem.js';
import { queries, turnQuery } from '../wire/queries.js';
import { need, server } from '../wire/server.js';

/** What a turn was told that the turn before was not: what is demanded first, then by source. */
export default function TurnDiff(props: {
  readonly run: string;
  readonly turn: string;
  readonly after: TurnView;
}): ReactNode {
  const { run, turn, after } = props;
  const before = useQuery({
    queryKey: ['turn before', run, turn],
    queryFn: async () => {
      const id = await findBefore(run, turn, after.lane);
      return id === undefined ? null : await queries.ensureQueryData(turnQuery(run, id, false));
    },
  });
  if (before.error) return <Problem error={before.error} />;
  if (before.isPending) return <p className="quiet">Reading the turn before …</p>;
  if (before.data == null) return <p className="quiet">This is the first turn.</p>;
  const diff = diffPrompts(subjectOf(before.data), subjectOf(after));
  const { added, dropped } = diff.obligations;
  return (
    <div className="waits">
      {diff.same && <p>Not one byte differs.</p>}
      {added.length + dropped.length > 0 && (
        <section className="card">
          <h2>What is demanded</h2>
          {dropped.map(({ text }) => (
            <p key={text} className="bad">
              − {plain(text)}
            </p>
          ))}
          {added.map(({ text }) => (
            <p key={text} className="good">
              + {plain(text)}
            </p>
          ))}
        </section>
      )}
      {diff.origins.map((change) => (
        <Patch key={change.origin} file={`${change.origin} (${change.change})`} patch={linesOf(change)} />
      ))}
    </div>
  );
}

const linesOf = ({ removedLines, addedLines }: ReturnType<typeof diffPrompts>['origins'][number]): string =>
  [...removedLines.map((line) => `-${line}`), ...addedLines.map((line) => `+${line}`)].join('\n');

/** The turn of the same agent before this one. */
async function findBefore(run: string, turn: string, lane: string): Promise<string | undefined> {
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const page = await need(server.listEvents({ run, after, limit: 1_000 }));
    for (const { type, data } of page.events) {
      const { id, kind, lane: own } = data as { id?: string; kind?: string; lane?: string };
      if (type === 'effect.intended' && /^(?:node|model)\.turn$/.test(kind ?? '') && own === lane)
        ids.push(String(id));
    }
    if (!page.more) break;
    after = page.after;
  }
  return ids[ids.indexOf(turn) - 1];
}

const subjectOf = ({ full }: TurnView): Subject =>
  ({ prompt: { ...full, redactions: [] }, tools: full.tools, params: full.params }) as unknown as Subject;
