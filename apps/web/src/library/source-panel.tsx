import type { RenderedView, TargetSourceView } from '@cuebook/api';
import { type ReactNode, useMemo, useState } from 'react';
import { useKeys } from '../shell/keys.js';
import { Editor } from '../ui/editor.js';
import { plain } from '../ui/plain.js';
import { Verbatim } from '../ui/text.js';
import type { PromptDraft } from './drafts.js';
import { SaveBar } from './save-bar.js';

type File = TargetSourceView['files'][number];

/** The files of a prompt, each with what is wrong with it below the line. Those that people write in can be changed. */
export function SourcePanel(props: {
  readonly source: TargetSourceView;
  readonly drafts: ReadonlyMap<string, PromptDraft>;
  readonly diagnostics: RenderedView['diagnostics'];
  readonly onDraft: (path: string, draft: PromptDraft | undefined) => void;
}): ReactNode {
  const { source, drafts } = props;
  const [chosen, setChosen] = useState(0);
  const file = source.files[chosen] ?? source.files[0];
  useKeys('Library', [
    {
      keys: 'o',
      label: 'The next file of this prompt',
      run: () => setChosen((chosen + 1) % Math.max(1, source.files.length)),
    },
  ]);
  if (file === undefined)
    return <p className="quiet">It is not a file of the project: it is shipped with Cuebook.</p>;
  return (
    <>
      {source.files.length > 1 && (
        <fieldset className="switch" aria-label="Files">
          {source.files.map(({ path }, index) => (
            <button
              key={path}
              type="button"
              aria-pressed={path === file.path}
              onClick={() => setChosen(index)}
            >
              {plain(path)}
              {drafts.has(path) && <span title="not saved"> •</span>}
            </button>
          ))}
        </fieldset>
      )}
      <OneFile key={file.path} {...props} file={file} draft={drafts.get(file.path)} />
    </>
  );
}

function OneFile(props: {
  readonly source: TargetSourceView;
  readonly file: File;
  readonly draft: PromptDraft | undefined;
  readonly diagnostics: RenderedView['diagnostics'];
  readonly onDraft: (path: string, draft: PromptDraft | undefined) => void;
}): ReactNode {
  const { file, draft, diagnostics } = props;
  const { path, text, sha256 } = file;
  // What was thrown away or taken from the disk is shown anew.
  const [round, setRound] = useState(0);
  const notes = useMemo(
    () =>
      diagnostics.flatMap(({ file: of, line, severity, message }) =>
        of === path && line !== undefined ? [{ line, severity, message }] : [],
      ),
    [diagnostics, path],
  );
  if (!file.editable)
    return (
      <>
        <p className="quiet">{plain(path)} can be changed only in your own editor.</p>
        <Verbatim label={plain(path)} text={text} />
      </>
    );
  return (
    <>
      <Editor
        key={`${round} ${draft === undefined ? sha256 : draft.base}`}
        label={path}
        text={draft?.text ?? text}
        takesFocus={false}
        notes={notes}
        onChange={(next) =>
          props.onDraft(path, next === text ? undefined : { text: next, base: draft?.base ?? sha256 })
        }
        onSubmit={() => document.getElementById('save-file')?.click()}
      />
      <SaveBar {...props} onAgain={() => setRound(round + 1)} />
    </>
  );
}
