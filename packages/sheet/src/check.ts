import { type Diagnostic, isBelow, nearest } from '@cuebook/prompt';
import { diagnosticAt } from '@cuebook/yaml';
import { findCycles } from './cycles.js';
import type { Sheet, SheetInput, SheetPart } from './schema.js';
import type { SheetSource } from './source.js';

/** What can be said of a sheet before anybody hands in an input. Of one that fits in part, what can be said of that. */
export function checkSheet(source: SheetSource): readonly Diagnostic[] {
  const { sheet, yaml } = source;
  const diagnostics: Diagnostic[] = [];
  const used = new Set<string>();
  const names = new Set<string>();
  sheet.blocks.forEach(({ role, parts, name }, b) => {
    if (name !== undefined && names.has(name)) {
      diagnostics.push(
        diagnosticAt(yaml, ['blocks', b, 'name'], {
          code: 'E_DUPLICATE_BLOCK',
          severity: 'error',
          message: `Two blocks are called "${name}"`,
        }),
      );
    }
    names.add(name);
    if (parts.length > 0 && countOf(parts, isBlank) === parts.length) {
      const message = `The block "${name}" has no text, so nothing is told`;
      diagnostics.push(
        diagnosticAt(yaml, ['blocks', b], { code: 'W_SHEET_EMPTY', severity: 'warning', message }),
      );
    }
    parts.forEach((part, p) => {
      if (!('input' in part)) return;
      used.add(part.input);
      for (const problem of inputProblems(sheet, part.input, role)) {
        diagnostics.push(
          diagnosticAt(yaml, ['blocks', b, 'parts', p, 'input'], { ...problem, severity: 'error' }),
        );
      }
    });
  });
  for (const name of Object.keys(sheet.inputs)) {
    if (used.has(name)) continue;
    const message = `The input "${name}" is declared and never used`;
    diagnostics.push(
      diagnosticAt(yaml, ['inputs', name], { code: 'W_SHEET_INPUT_UNUSED', severity: 'warning', message }),
    );
  }
  return [...diagnostics, ...findCycles(source)];
}

/** What is wrong with an input where it is put. Labels that do not fit have been told and say nothing. */
function inputProblems(
  { inputs }: Sheet,
  name: string,
  role: string,
): readonly { readonly code: string; readonly message: string }[] {
  const declared: Partial<SheetInput> | undefined = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  if (declared === undefined) {
    const meant = nearest(name, Object.keys(inputs));
    const hint = meant === undefined ? 'Declare it under inputs' : `Did you mean "${meant}"?`;
    return [{ code: 'E_SHEET_INPUT', message: `The input "${name}" is not declared. ${hint}` }];
  }
  const { secrecy, trust } = declared;
  const problems: { code: string; message: string }[] = [];
  if (secrecy === 'secret') {
    const message = `The input "${name}" is secret and would reach the model`;
    problems.push({ code: 'E_SECRET_IN_PROMPT', message });
  }
  if (role === 'system' && trust !== undefined && isBelow(trust, 'operator')) {
    const message = `The input "${name}" has trust ${trust} and stands in a system-role block`;
    problems.push({ code: 'E_TRUST_IN_SYSTEM', message });
  }
  return problems;
}

const isBlank = (part: SheetPart): boolean => 'text' in part && part.text.trim() === '';

/** Of those that are there: `filter` passes over holes. */
const countOf = <Item>(items: readonly Item[], test: (item: Item) => boolean): number =>
  items.filter(test).length;

/** Whether the values are the inputs that the sheet takes. */
export function checkValues(
  { sheet }: SheetSource,
  values: Readonly<Record<string, string>>,
): readonly Diagnostic[] {
  const names = Object.keys(sheet.inputs);
  const unknown = Object.keys(values)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = nearest(name, names);
      return `The sheet takes no input "${name}". ${meant === undefined ? `It takes: ${names.join(', ') || 'none'}` : `Did you mean "${meant}"?`}`;
    });
  const missing = names
    .filter((name) => sheet.inputs[name]?.required && !Object.hasOwn(values, name))
    .map((name) => {
      const about = sheet.inputs[name]?.description;
      return `The input "${name}"${about === undefined ? '' : ` (${about})`} is missing. Hand it in with --set ${name}=VALUE or --set ${name}=@FILE`;
    });
  return [...unknown, ...missing].map((message) => ({ code: 'E_INPUT', severity: 'error', message }));
}
