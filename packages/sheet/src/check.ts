import { type Diagnostic, isBelow, nearest, type Place, type Role } from '@cuebook/prompt';
import { diagnosticAt } from '@cuebook/yaml';
import { checkAnswer } from './answer.js';
import { findCycles } from './cycles.js';
import { historyProblems } from './history.js';
import { historiesOf, type InputSlot, type Message, messagesOf } from './part.js';
import { openPartsReached } from './reach.js';
import type { Sheet, SheetInput, SheetPart } from './schema.js';
import type { SheetSource } from './source.js';

/** What can be said of a sheet before anybody hands in an input. Of one that fits in part, what can be said of that. */
export function checkSheet(source: SheetSource): readonly Diagnostic[] {
  const { sheet } = source;
  const messages = messagesOf(sheet);
  const slots = messages.map((message) => ({ role: message.role, slots: slotsOf(source, message) }));
  const used = new Set(slots.flatMap((each) => each.slots.map(({ name }) => name)));
  return [
    ...messages.flatMap((message) => blankMessage(source, message)),
    ...twice(source),
    ...unique(
      slots.flatMap(({ role, slots: each }) => each.flatMap((slot) => wrongInput(sheet, slot, role))),
    ),
    ...unused(source, used),
    ...checkAnswer(source),
    ...findCycles(source),
  ];
}

/** The inputs that a message holds, in its own parts and in all texts that it includes. */
const slotsOf = (source: SheetSource, message: Message): readonly InputSlot[] =>
  openPartsReached(source, message).flatMap((part) => ('slot' in part ? [part] : []));

function blankMessage({ yaml }: SheetSource, { name, parts, path }: Message): readonly Diagnostic[] {
  if (parts.length === 0 || !parts.every(({ part }) => isBlank(part))) return [];
  const message = `The block "${name}" has no text, so nothing is told`;
  return [diagnosticAt(yaml, path, { code: 'W_SHEET_EMPTY', severity: 'warning', message })];
}

const isBlank = (part: SheetPart): boolean => 'text' in part && part.text.trim() === '';

/** Names that are taken already: of blocks, and of what is handed in. */
function twice({ sheet, yaml }: SheetSource): readonly Diagnostic[] {
  const names = new Set<string>();
  const blocks = messagesOf(sheet).flatMap(({ name, path, isNamed }): Diagnostic[] => {
    if (!isNamed) return [];
    const isTaken = names.has(name);
    names.add(name);
    const message = `Two blocks are called "${name}"`;
    return isTaken
      ? [diagnosticAt(yaml, [...path, 'name'], { code: 'E_DUPLICATE_BLOCK', severity: 'error', message })]
      : [];
  });
  const taken = new Set(Object.keys(sheet.inputs));
  const histories = historiesOf(sheet).flatMap(({ name, path }): Diagnostic[] => {
    const isTaken = taken.has(name);
    taken.add(name);
    const message = `"${name}" is handed in already: give this history a name of its own`;
    return isTaken ? [diagnosticAt(yaml, path, { code: 'E_SHEET_INPUT', severity: 'error', message })] : [];
  });
  return [...blocks, ...histories];
}

function unused({ sheet, yaml }: SheetSource, used: ReadonlySet<string>): readonly Diagnostic[] {
  return Object.keys(sheet.inputs)
    .filter((name) => !used.has(name))
    .map((name) => {
      const message = `The input "${name}" is declared and never used`;
      return diagnosticAt(yaml, ['inputs', name], {
        code: 'W_SHEET_INPUT_UNUSED',
        severity: 'warning',
        message,
      });
    });
}

const wrongInput = (sheet: Sheet, { name, at }: InputSlot, role: Role): readonly Diagnostic[] =>
  inputProblems(sheet, name, role).map((problem) => ({ ...problem, severity: 'error', ...placeOf(at) }));

const placeOf = ({ ref, line, column }: Place): Pick<Diagnostic, 'file' | 'line' | 'column'> => ({
  file: ref,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});

/** A text that is included twice is told of once. */
const unique = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => [
  ...new Map(diagnostics.map((each) => [JSON.stringify(each), each])).values(),
];

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

/** Whether the values are what the sheet takes. */
export function checkValues(
  { sheet }: SheetSource,
  values: Readonly<Record<string, string>>,
): readonly Diagnostic[] {
  const histories = historiesOf(sheet);
  const taken = [
    ...Object.entries(sheet.inputs).map(([name, { required, description }]) => ({
      name,
      required,
      description,
    })),
    ...histories.map(({ name, required }) => ({ name, required, description: 'earlier messages, as JSON' })),
  ];
  const names = taken.map(({ name }) => name);
  const unknown = Object.keys(values)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = nearest(name, names);
      return `The sheet takes no input "${name}". ${meant === undefined ? `It takes: ${names.join(', ') || 'none'}` : `Did you mean "${meant}"?`}`;
    });
  const missing = taken
    .filter(({ name, required }) => required && !Object.hasOwn(values, name))
    .map(({ name, description: about }) => {
      return `The input "${name}"${about === undefined ? '' : ` (${about})`} is missing. Hand it in with --set ${name}=VALUE or --set ${name}=@FILE`;
    });
  const wrong = histories.flatMap((history) => historyProblems(history, values));
  return [...unknown, ...missing, ...wrong].map((message) => ({
    code: 'E_INPUT',
    severity: 'error',
    message,
  }));
}
