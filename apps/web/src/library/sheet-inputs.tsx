import type { JsonValue } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sourceQuery } from '../wire/queries.js';
import { InputForm } from './input-form.js';
import type { SheetInputs } from './sent-inputs.js';
import { useSettled } from './use-settled.js';

/** The inputs of a sheet as fields; for another target, and for a sheet that is not there, nothing. */
export function SheetInputFields(props: {
  readonly target: string;
  readonly values: SheetInputs;
  readonly onChange: (values: SheetInputs) => void;
}): ReactNode {
  const target = useSettled(props.target.trim());
  const isSheet = target.startsWith('sheet:');
  const { data } = useQuery({ ...sourceQuery(target), enabled: isSheet, retry: false });
  const { set: inputs } = data?.inputs ?? {};
  const { set: sample } = data?.sample ?? {};
  if (!isSheet || inputs === undefined || sample === undefined) return null;
  return (
    <InputForm
      inputs={{ set: inputs }}
      sample={{ set: sample }}
      values={{ set: props.values }}
      onChange={({ set }) => props.onChange(textsIn(set))}
    />
  );
}

/** What is left empty is not set. */
const textsIn = (set: JsonValue | undefined): SheetInputs =>
  Object.fromEntries(
    Object.entries(Object(set) as Record<string, JsonValue>).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    ),
  );
