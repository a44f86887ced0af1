import { lazy, type ReactNode, Suspense } from 'react';

/** Something that is said about a line, from 1. */
export interface EditorNote {
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** A real editor, loaded when it is first wanted. */
export interface EditorProps {
  readonly label: string;
  readonly text: string;
  readonly language?: 'json' | 'text';
  readonly readOnly?: boolean;
  /** Whether it has the focus when it is first shown. Left out: yes. */
  readonly takesFocus?: boolean;
  /** What is said below lines. */
  readonly notes?: readonly EditorNote[];
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
