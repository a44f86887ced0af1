import type { TurnView } from '@cuebook/api';
import { explain } from '@cuebook/prompt';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { count, counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Verbatim } from '../ui/text.js';
import { wireQuery } from '../wire/queries.js';
import { PromptRows } from './prompt-rows.js';
import { rowsOf, type Shown, sourcesOf } from './rows.js';
import type { InspectSearch } from './search.js';
import { WhyPanel } from './why-panel.js';

/** The whole request as it goes to the provider: words, tools with their schemas, parameters, and what joins them. */
export function WirePartView(props: {
  readonly run: string;
  readonly turn: TurnView;
  readonly search: InspectSearch;
  readonly onPoint: (byte: number) => void;
}): ReactNode {
  const { run, turn, search } = props;
  const { data, error } = useQuery(wireQuery(run, turn.turn, search.reveal === true));
  const shown = useMemo((): Shown | undefined => {
    if (data === undefined) return undefined;
    const { format, text, hash, spans } = data;
    return { blocks: [{ name: format, role: 'body', text, hash, spans }] };
  }, [data]);
  const rows = useMemo(() => (shown === undefined ? [] : rowsOf(shown)), [shown]);
  const sources = useMemo(() => sourcesOf(shown ?? null), [shown]);
  const why =
    shown === undefined || search.byte === undefined
      ? undefined
      : explain(shown as unknown as Parameters<typeof explain>[0], search.byte);
  const { tools, params } = turn.full;
  return (
    <>
      <ProblemView error={error} />
      {data && (
        <p className="quiet">
          {count(new TextEncoder().encode(data.text).length)} bytes in the format of {plain(data.format)}.{' '}
          {data.sent
            ? '✓ These are exactly the bytes that were sent: the hash matches.'
            : 'Written again from the record; the bytes that were sent hold names of their own beside these.'}
        </p>
      )}
      {data && (
        <div className="inspect-body">
          <PromptRows
            {...{ rows, sources }}
            lens={search.lens ?? 'origin'}
            byte={search.byte}
            onPoint={props.onPoint}
          />
          <WhyPanel run={run} turn={turn.turn} why={why} isChosen />
        </div>
      )}
      <section className="card">
        <h2>{counted(tools.length, 'tool')}</h2>
        {tools.map(({ name, description, parameters }) => (
          <details key={name}>
            <summary>
              <code>{plain(name)}</code> {plain(description ?? '')}
            </summary>
            <Verbatim label={`Schema of ${name}`} text={JSON.stringify(parameters ?? {}, null, 2)} />
          </details>
        ))}
        {tools.length === 0 && <p className="quiet">No tool was offered.</p>}
        {Object.keys(params).length > 0 && (
          <Verbatim label="Parameters" text={JSON.stringify(params, null, 2)} />
        )}
      </section>
    </>
  );
}
