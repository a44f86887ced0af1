import type { JsonValue, WaitView } from '@cuebook/api';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Editor } from '../ui/editor.js';
import { fieldsOf } from './wait-words.js';

interface DecisionProps {
  readonly isPending: boolean;
  readonly onCancel: () => void;
}

/** A no, with words that the agent reads. */
export function DenyForm({
  isPending,
  onCancel,
  onDeny,
}: DecisionProps & { readonly onDeny: (message: string) => void }): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const send = () => onDeny(field.current?.value.trim() ?? '');
  return (
    <form
      className="answer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
      }}
    >
      <div className="field">
        <label htmlFor={id}>Why not (the agent reads it)</label>
        <textarea id={id} ref={field} rows={2} maxLength={2_000} />
      </div>
      <div className="buttons">
        <button type="submit" className="main-button" disabled={isPending}>
          Deny
        </button>
        <button type="button" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}

/** The call as it shall be done instead: its new text where it writes one, else its arguments. */
export function ChangeForm({
  wait,
  isPending,
  onCancel,
  onChange,
}: DecisionProps & { readonly wait: WaitView; readonly onChange: (input: JsonValue) => void }): ReactNode {
  const field = textField(wait.input);
  const [text, setText] = useState(() =>
    field === undefined ? JSON.stringify(wait.input, null, 2) : String(fieldsOf(wait.input)[field]),
  );
  const changed = readChanged(wait.input, field, text);
  const send = () => changed !== undefined && onChange(changed);
  return (
    <div className="answer">
      <Editor
        label={field === undefined ? 'The arguments' : `The ${field}`}
        text={text}
        language={field === undefined ? 'json' : 'text'}
        onChange={setText}
        onSubmit={send}
        onCancel={onCancel}
      />
      {changed === undefined && <p className="bad">This is not JSON yet.</p>}
      <div className="buttons">
        <button
          type="button"
          className="main-button"
          disabled={isPending || changed === undefined}
          onClick={send}
        >
          Do this instead <kbd>Ctrl Enter</kbd>
        </button>
        <button type="button" onClick={onCancel}>
          Back <kbd>Esc</kbd>
        </button>
      </div>
    </div>
  );
}

/** The field of a call that holds the text a person would edit. */
function textField(input: JsonValue): string | undefined {
  const fields = fieldsOf(input);
  return ['content', 'command', 'cmd'].find((name) => typeof fields[name] === 'string');
}

function readChanged(input: JsonValue, field: string | undefined, text: string): JsonValue | undefined {
  if (field !== undefined)
    return { ...(fieldsOf(input) as { readonly [name: string]: JsonValue }), [field]: text };
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
