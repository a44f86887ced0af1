import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { plain } from '../ui/plain.js';
import { type AnswerField, textsOf, type WaitForms } from './answer-forms.js';

interface AnswerFormProps {
  readonly forms: WaitForms;
  /** The first field takes the focus. */
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly onCancel: () => void;
  readonly onAnswer: (texts: readonly string[]) => void;
}

/** Answers to choose from, and fields to fill in. */
export function AnswerForm({ forms, isOpen, isPending, onCancel, onAnswer }: AnswerFormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isOpen) form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, [isOpen]);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (form.current === null || !form.current.reportValidity()) return;
    const values = [...form.current.querySelectorAll<HTMLInputElement>('[data-field]')].map(
      ({ value }) => value,
    );
    onAnswer(textsOf(forms.fields, values));
  };
  return (
    <>
      {forms.choices.length > 0 && (
        <div className="buttons">
          {forms.choices.map(({ text, label, about }, index) => (
            <button
              type="button"
              key={text}
              disabled={isPending}
              className={index === 0 ? 'main-button' : ''}
              onClick={() => onAnswer([text])}
              {...(about !== undefined && { title: plain(about) })}
            >
              {plain(label)}
              {index === 0 && (
                <>
                  {' '}
                  <kbd>a</kbd>
                </>
              )}
            </button>
          ))}
        </div>
      )}
      {forms.fields.length > 0 && (
        <form
          ref={form}
          className="answer"
          onSubmit={send}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onCancel();
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
          }}
        >
          {forms.fields.map((field) => (
            <Field key={`${field.name} ${field.label}`} field={field} />
          ))}
          <div className="buttons">
            <button
              type="submit"
              className={forms.choices.length === 0 ? 'main-button' : ''}
              disabled={isPending}
            >
              Answer <kbd>r</kbd>
            </button>
          </div>
        </form>
      )}
    </>
  );
}

function Field({ field }: { readonly field: AnswerField }): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{plain(field.label)}</label>
      {field.kind === 'number' && <input id={id} data-field type="number" step="any" min="0" required />}
      {field.kind === 'yes-no' && (
        <select id={id} data-field>
          <option value="yes">yes</option>
          <option value="no">no</option>
        </select>
      )}
      {field.kind === 'text' && <textarea id={id} data-field rows={field.name === '' ? 3 : 1} required />}
    </div>
  );
}
