import { memo, type ReactNode } from 'react';
import Base from 'react-markdown';
import remarkGfm from 'remark-gfm';

/** Links are shown with their target; pictures as the words that stand for them. */
export default memo(function RenderedMarkdown({ text }: { readonly text: string }): ReactNode {
  return (
    <Base
      remarkPlugins={[remarkGfm]}
      components={{
        a: ({ href, children }) => (
          <span className="link-shown">
            {children} <span className="quiet">({href})</span>
          </span>
        ),
        img: ({ alt, src }) => <span className="quiet">[picture: {alt || String(src)}]</span>,
        h1: ({ children }) => <p className="strong">{children}</p>,
        h2: ({ children }) => <p className="strong">{children}</p>,
        h3: ({ children }) => <p className="strong">{children}</p>,
        h4: ({ children }) => <p className="strong">{children}</p>,
        h5: ({ children }) => <p className="strong">{children}</p>,
        h6: ({ children }) => <p className="strong">{children}</p>,
        input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
      }}
    >
      {text}
    </Base>
  );
});
