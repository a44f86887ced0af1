import { expect, it } from 'vitest';
import { asJson } from './json.js';

interface Plain {
  readonly name: string;
  readonly more?: { readonly at: number | null } | undefined;
  readonly all: readonly (string | { readonly is: boolean })[];
}

it('takes data as it is, and nothing that JSON would lose', () => {
  const plain: Plain = { name: 'x', all: ['a', { is: true }] };
  expect(asJson(plain)).toBe(plain);
  // @ts-expect-error: a map is an empty object in JSON.
  asJson({ all: new Map<string, string>() });
  // @ts-expect-error: a date is a text in JSON.
  asJson({ at: new Date(0) });
  // @ts-expect-error: a function is nothing in JSON.
  asJson({ act: () => undefined });
  // @ts-expect-error: nobody knows what it is.
  asJson({ all: 1 as unknown });
});
