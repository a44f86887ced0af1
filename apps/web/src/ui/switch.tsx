import type { ReactNode } from 'react';

/** One of a few, of which one is chosen. */
export function Switch<Value extends string | undefined>(props: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}): ReactNode {
  return (
    <fieldset className="switch" aria-label={props.label}>
      {props.options.map(({ value, label }) => (
        <button
          key={label}
          type="button"
          aria-pressed={props.value === value}
          onClick={() => props.onChange(value)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
