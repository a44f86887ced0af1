import type { JsonValue, TargetSourceView } from '@cuebook/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { sourceQuery } from '../wire/queries.js';
import { need, server } from '../wire/server.js';
import { draftsOf, keepDraft } from './drafts.js';
import { InputForm } from './input-form.js';
import { RenderedPanel } from './rendered-panel.js';
import type { LibrarySearch } from './search.js';
import { SourcePanel } from './source-panel.js';
import { useSettled } from './use-settled.js';

/** One prompt: its files and inputs on the left, and what comes of them on the right, as they are edited. */
export function TargetView(props: {
  readonly target: string;
  readonly search: LibrarySearch;
  readonly onGo: (change: LibrarySearch) => void;
}): ReactNode {
  const { target } = props;
  const { data, error } = useQuery(sourceQuery(target));
  if (error) return <ProblemView error={error} />;
  if (data === undefined) return <p className="quiet">Reading {plain(target)} …</p>;
  return <Opened source={data} {...props} />;
}

function Opened(props: {
  readonly source: TargetSourceView;
  readonly search: LibrarySearch;
  readonly onGo: (change: LibrarySearch) => void;
}): ReactNode {
  const { source, search, onGo } = props;
  const { target, files, inputs, sample } = source;
  const [values, setValues] = useState<Readonly<Record<string, JsonValue>>>();
  const [drafts, setDrafts] = useState(() => draftsOf(files.map(({ path }) => path)));
  const [isRevealed, setRevealed] = useState(false);
  const edits = useMemo(() => [...drafts].map(([path, { text }]) => ({ path, text })), [drafts]);
  const asked = useSettled(
    useMemo(
      () => ({ target, edits, reveal: isRevealed, input: values }),
      [target, edits, isRevealed, values],
    ),
  );
  const rendered = useQuery({
    queryKey: ['render', asked],
    queryFn: () => {
      const { input, ...rest } = asked;
      return need(server.renderTarget(input === undefined ? rest : { ...rest, input }));
    },
    placeholderData: keepPreviousData,
  });
  return (
    <div className="target-view">
      <div className="target-source">
        <h2>{plain(target)}</h2>
        <SourcePanel
          source={source}
          drafts={drafts}
          diagnostics={rendered.data?.diagnostics ?? source.diagnostics}
          onDraft={(path, draft) => {
            keepDraft(path, draft);
            setDrafts(draftsOf(files.map((file) => file.path)));
          }}
        />
        <InputForm inputs={inputs} sample={sample} values={values ?? sample} onChange={setValues} />
      </div>
      <RenderedPanel
        rendered={rendered.data}
        error={rendered.error}
        edits={edits}
        search={search}
        onGo={onGo}
        onReveal={() => setRevealed(true)}
      />
    </div>
  );
}
