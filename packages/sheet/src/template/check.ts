import type { Diagnostic, Role } from '@cuebook/prompt';
import type { TemplateSlot } from '../part.js';
import type { SheetSource } from '../source.js';
import { flowOf, parseSlot, problemAt } from './parse.js';

/** What is wrong with an input where it is put. */
export type InputProblems = (
  name: string,
  role: Role,
) => readonly { readonly code: string; readonly message: string }[];

/** What a template reads, and all that is wrong with it in every branch, executed or not. */
export function checkSlot(
  { sheet, texts }: SheetSource,
  slot: TemplateSlot,
  role: Role,
  inputProblems: InputProblems,
): { readonly used: readonly string[]; readonly diagnostics: readonly Diagnostic[] } {
  const parsed = parseSlot(slot);
  if (!parsed.ok) return { used: [], diagnostics: [parsed.diagnostic] };
  const { template, map } = parsed;
  const { fields, includes, actions, inputsAt } = flowOf(template, texts);
  const isDeclared = (name: string): boolean => Object.hasOwn(sheet.inputs, name);
  const unknown = fields
    .filter(({ name }) => !isDeclared(name))
    .flatMap(({ name, offset }) =>
      inputProblems(name, role).map(({ code, message }) => problemAt(map.place(offset), code, message)),
    );
  const printed = actions.flatMap((from) =>
    [...(inputsAt(from) ?? Object.keys(sheet.inputs))]
      .filter(isDeclared)
      .flatMap((name) => inputProblems(name, role))
      .map(({ code, message }) => problemAt(map.place(from), code, message)),
  );
  const computed = includes
    .filter(({ name }) => name === undefined)
    .map(({ offset }) =>
      problemAt(
        map.place(offset),
        'E_INCLUDE_UNKNOWN',
        'The name of a text that is included is written out: include "name"',
      ),
    );
  return { used: fields.map(({ name }) => name), diagnostics: [...unknown, ...printed, ...computed] };
}
