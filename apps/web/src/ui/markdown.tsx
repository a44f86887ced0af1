import { lazy, type ReactNode, Suspense } from 'react';
import { plain } from './plain.js';

const Loaded = lazy(() => import('./rendered-markdown.js'));

/** Words of a model as Markdown. HTML in it stays text, and nothing is loaded from anywhere. */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const shown = plain(text);
  return (
    <div className="prose" dir="auto">
      <Suspense fallback={<p className="pre-line">{shown}</p>}>
        <Loaded text={shown} />
      </Suspense>
    </div>
  );
}
