import { askedParts, type WaitView } from '@cuebook/api';
import type { ReactNode } from 'react';
import { Markdown } from '../ui/markdown.js';
import { PatchView } from '../ui/patch.js';
import { Exact, Foreign, Verbatim } from '../ui/text.js';
import { fieldsOf } from './wait-words.js';

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
  if (wait.tool === '' && wait.input === null) return null;
  const { changes = [], tool, input } = wait;
  const { command, file, rest } = askedParts({ input, changes });
  const isCall = changes.length === 0 && command === undefined;
  return (
    <>
      {changes.map((each) => (
        <PatchView key={each.file} file={each.file} patch={each.patch} />
      ))}
      {command !== undefined && <Exact label="The command" text={`$ ${command}`} />}
      {isCall && <Exact label="The call" text={`${tool} ${JSON.stringify(input, null, 2)}`} />}
      {!isCall && file !== undefined && <Exact label="The file" text={file} />}
      {!isCall && rest !== undefined && (
        <Exact label="More of the call" text={JSON.stringify(rest, null, 2)} />
      )}
    </>
  );
}
