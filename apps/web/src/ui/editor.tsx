import { lazy, type ReactNode, Suspense } from 'react';

/** A real editor, loaded when it is first wanted. */
export interface EditorProps {
  readonly label: string;
  readonly text: string;
  readonly language?: 'json' | 'text';
  readonly readOnly?: boolean;
  readonly onChange?: (text: string) => void;
  /** Ctrl-Enter. */
  readonly onSubmit?: () => void;
  /** Escape. */
  readonly onCancel?: () => void;
}

const Loaded = lazy(() => import('./code-mirror.js'));

export const Editor = (props: EditorProps): ReactNode => (
  <Suspense fallback={<p className="quiet">Loading the editor …</p>}>
    <Loaded {...props} />
  </Suspense>
);
