import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { type ReactNode, useEffect, useRef } from 'react';
import type { EditorProps } from './editor.js';
import { NOTES, setNotes } from './editor-notes.js';

/**
 * CodeMirror in a shadow root: there its styles are a constructed sheet, which the page's policy allows, while a style
 * element in the document would be refused.
 */
export default function CodeMirror(props: EditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { label, language, readOnly, notes } = props;
  const shown = useRef<EditorView>(undefined);
  const first = useRef(props.text);
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open', delegatesFocus: true });
    const view = new EditorView({
      root,
      parent: root as unknown as Element,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          lineNumbers(),
          history(),
          highlightSpecialChars(),
          language === 'json' ? json() : [],
          EditorView.lineWrapping,
          EditorState.readOnly.of(readOnly === true),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.sliceDoc());
          }),
          keymap.of([
            { key: 'Mod-Enter', run: () => call(latest.current.onSubmit) },
            { key: 'Escape', run: () => call(latest.current.onCancel) },
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          // A file keeps its line ends.
          first.current.includes('\r\n') ? EditorState.lineSeparator.of('\r\n') : [],
          NOTES,
          THEME,
        ],
      }),
    });
    shown.current = view;
    if (readOnly !== true && latest.current.takesFocus !== false) view.focus();
    return () => view.destroy();
  }, [label, language, readOnly]);
  useEffect(() => shown.current?.dispatch({ effects: setNotes.of(notes ?? []) }), [notes]);
  return <div ref={host} className="editor" />;
}

function call(work: (() => void) | undefined): boolean {
  work?.();
  return work !== undefined;
}

const THEME = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
    maxHeight: 'var(--editor-height, 24rem)',
    fontSize: 'var(--small)',
  },
  '.cm-scroller': { fontFamily: 'var(--mono)', overflow: 'auto' },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'var(--ground)', border: 'none' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.note': { padding: '0 0.5rem', fontFamily: 'var(--sans)', whiteSpace: 'normal' },
  '.note.error': { color: 'var(--bad)', backgroundColor: 'var(--removed)' },
  '.note.warning': { color: 'var(--wait)', backgroundColor: 'var(--sunken)' },
});
