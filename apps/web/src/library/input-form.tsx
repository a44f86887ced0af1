import type { JsonValue } from '@cuebook/api';
import { type ReactNode, useId, useState } from 'react';
import { plain } from '../ui/plain.js';
import { fieldsOf, type InputField, valueAt, withValue } from './input-fields.js';

type Values = Readonly<Record<string, JsonValue>>;

/** What a caller hands in, as a form. Every change is told at once. */
export function InputForm(props: {
  readonly inputs: Values;
  readonly sample: Values;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}): ReactNode {
  const { inputs, sample, values } = props;
  const fields = fieldsOf(inputs, sample);
  if (fields.length === 0) return <p className="quiet">It takes no input.</p>;
  return (
    <fieldset className="input-form">
      <legend className="quiet">Inputs</legend>
      {fields.map((field) => (
        <Field
          key={field.path.join(' ')}
          field={field}
          value={valueAt(values, field.path)}
          onChange={(value) => props.onChange(withValue(values, field.path, value))}
        />
      ))}
    </fieldset>
  );
}

interface FieldProps {
  readonly field: InputField;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
}

function Field({ field, value, onChange }: FieldProps): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{plain(field.label)}</label>
      <Control id={id} field={field} value={value} onChange={onChange} />
      {field.path.length === 1 && field.description !== '' && (
        <span className="quiet">{plain(field.description)}</span>
      )}
    </div>
  );
}

function Control({ id, field, value, onChange }: FieldProps & { readonly id: string }): ReactNode {
  switch (field.kind) {
    case 'yes-no':
      return (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      );
    case 'choice':
      return (
        <select
          id={id}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        >
          <option value="">as usual</option>
          {field.choices.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      );
    case 'number':
      return (
        <input
          id={id}
          type="number"
          value={typeof value === 'number' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
        />
      );
    case 'json':
      return <JsonText id={id} value={value} onChange={onChange} />;
    case 'text':
      return (
        <textarea
          id={id}
          rows={Math.min(6, String(value ?? '').split('\n').length)}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value)}
        />
      );
  }
}

/** JSON as it is typed; it counts from when it can be read. */
function JsonText(props: Omit<FieldProps, 'field'> & { readonly id: string }): ReactNode {
  const [text, setText] = useState(props.value === undefined ? '' : JSON.stringify(props.value));
  const [isBad, setBad] = useState(false);
  const onChange = (next: string) => {
    setText(next);
    try {
      props.onChange(next.trim() === '' ? undefined : (JSON.parse(next) as JsonValue));
      setBad(false);
    } catch {
      setBad(true);
    }
  };
  return (
    <>
      <textarea
        id={props.id}
        rows={2}
        value={text}
        aria-invalid={isBad}
        onChange={({ target }) => onChange(target.value)}
      />
      {isBad && <span className="bad">This is not JSON yet.</span>}
    </>
  );
}
