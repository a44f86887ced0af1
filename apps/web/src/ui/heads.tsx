import type { ReactNode } from 'react';

/** The head of a table: a name for each column. */
export const Heads = ({ names }: { readonly names: readonly string[] }): ReactNode => (
  <thead>
    <tr>
      {names.map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </tr>
  </thead>
);
