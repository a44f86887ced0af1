import type { WaitView } from '@cuebook/api';
import type { ReactNode } from 'react';
import { Markdown } from '../ui/markdown.js';
import { PatchView } from '../ui/patch.js';
import { Foreign, Verbatim } from '../ui/text.js';
import { commandOf, fieldsOf } from './wait-words.js';

/** The very diff, command or question, why it is asked, and what shows it. */
export function WaitBody({ wait }: { readonly wait: WaitView }): ReactNode {
  return (
    <>
      <Asked wait={wait} />
      {wait.reason !== null && (
        <p className="quiet">
          why: <Foreign text={wait.reason} />
        </p>
      )}
      {wait.evidence !== undefined && wait.evidence !== null && (
        <details>
          <summary>What shows it</summary>
          <Verbatim label="What shows it" text={JSON.stringify(wait.evidence, null, 2)} />
        </details>
      )}
    </>
  );
}

function Asked({ wait }: { readonly wait: WaitView }): ReactNode {
  const { message, plan } = fieldsOf(wait.input);
  if (wait.for === 'question' && typeof message === 'string')
    return (
      <>
        <Markdown text={message} />
        {typeof plan === 'string' && <Verbatim label="The plan" text={plan} />}
      </>
    );
  if (wait.changes !== undefined && wait.changes.length > 0)
    return wait.changes.map(({ file, patch }) => <PatchView key={file} file={file} patch={patch} />);
  const command = commandOf(wait);
  if (command !== undefined) return <Verbatim label="The command" text={`$ ${command}`} />;
  if (wait.tool === '' && wait.input === null) return null;
  return <Verbatim label="The call" text={`${wait.tool} ${JSON.stringify(wait.input, null, 2)}`} />;
}
