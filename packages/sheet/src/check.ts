import { diagnosticAt, nearest } from '@cuebook/profile';
import { type Diagnostic, isBelow } from '@cuebook/prompt';
import type { SheetSource } from './source.js';

/** What can be said of a sheet before anybody hands in an input. */
export function checkSheet({ sheet, yaml }: SheetSource): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const used = new Set<string>();
  sheet.blocks.forEach(({ role, parts, name }, b) => {
    if (sheet.blocks.findIndex((other) => other.name === name) < b) {
      diagnostics.push(
        diagnosticAt(yaml, ['blocks', b, 'name'], {
          code: 'E_DUPLICATE_BLOCK',
          severity: 'error',
          message: `Two blocks are called "${name}"`,
        }),
      );
    }
    parts.forEach((part, p) => {
      if (!('input' in part)) return;
      used.add(part.input);
      const path = ['blocks', b, 'parts', p, 'input'];
      const report = (code: string, message: string) =>
        diagnostics.push(diagnosticAt(yaml, path, { code, severity: 'error', message }));
      const declared = Object.hasOwn(sheet.inputs, part.input) ? sheet.inputs[part.input] : undefined;
      if (declared === undefined) {
        const meant = nearest(part.input, Object.keys(sheet.inputs));
        report(
          'E_SHEET_INPUT',
          `The input "${part.input}" is not declared. ${meant === undefined ? 'Declare it under inputs' : `Did you mean "${meant}"?`}`,
        );
        return;
      }
      if (declared.secrecy === 'secret')
        report('E_SECRET_IN_PROMPT', `The input "${part.input}" is secret and would reach the model`);
      if (role === 'system' && isBelow(declared.trust, 'operator')) {
        report(
          'E_TRUST_IN_SYSTEM',
          `The input "${part.input}" has trust ${declared.trust} and stands in a system-role block`,
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
  return diagnostics;
}

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
