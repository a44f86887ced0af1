import { type Diagnostic, isBelow, nearest, type Place, type Role } from '@cuebook/prompt';
import { diagnosticAt, isSameNumber } from '@cuebook/yaml';
import { checkAnswer } from './answer.js';
import { findCycles } from './cycles.js';
import { historyProblems } from './history.js';
import { historiesOf, type InputSlot, messagesOf, type SheetMessage } from './part.js';
import { openPartsReached } from './reach.js';
import type { Sheet, SheetInput, SheetPart } from './schema.js';
import { misfit } from './shape/shape.js';
import type { SheetSource } from './source.js';
import { checkSlot } from './template/check.js';
import { jsonProblem } from './template/data.js';

/** What can be said of a sheet before anybody hands in an input. Of one that fits in part, what can be said of that. */
export function checkSheet(source: SheetSource): readonly Diagnostic[] {
  const { sheet } = source;
  const messages = messagesOf(sheet);
  const uses = messages.map((message) => usesOf(source, message));
  const used = new Set(uses.flatMap((each) => each.used));
  return [
    ...messages.flatMap((message) => blankMessage(source, message)),
    ...twice(source),
    ...unique(uses.flatMap(({ diagnostics }) => diagnostics)),
    ...unused(source, used),
    ...examples(source),
    ...checkAnswer(source),
    ...changedNumbers(source),
    ...findCycles(source),
  ];
}

/** The inputs that a message uses, in its own parts and in all texts that it includes, and what is wrong with them. */
function usesOf(
  source: SheetSource,
  message: SheetMessage,
): { readonly used: readonly string[]; readonly diagnostics: readonly Diagnostic[] } {
  const { sheet } = source;
  const found = openPartsReached(source, message).flatMap((part) => {
    if (!('slot' in part)) return [];
    if (part.slot === 'input') {
      return [{ used: [part.name], diagnostics: wrongInput(sheet, part, message.role) }];
    }
    return [checkSlot(source, part, message.role, (name, role) => inputProblems(sheet, name, role))];
  });
  return {
    used: found.flatMap(({ used }) => used),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

function blankMessage({ yaml }: SheetSource, { name, parts, path }: SheetMessage): readonly Diagnostic[] {
  if (parts.length === 0 || !parts.every(({ part }) => isBlank(part))) return [];
  const message = `The block "${name}" has no text, so nothing is told`;
  return [diagnosticAt(yaml, path, { code: 'W_SHEET_EMPTY', severity: 'warning', message })];
}

const isBlank = (part: SheetPart): boolean => 'text' in part && part.text.trim() === '';

/** Numbers that are sent otherwise than they are written: JavaScript holds about 16 digits. */
const changedNumbers = ({ yaml }: SheetSource): readonly Diagnostic[] =>
  yaml
    .numbers()
    .filter(({ written, value }) => !isSameNumber(written, value))
    .map(({ written, value, place }) => ({
      code: 'W_SHEET_NUMBER',
      severity: 'warning',
      message: `The number ${written.slice(0, 60)} has more digits than a number holds: it is read and sent as ${value}`,
      ...placeOf(place),
    }));

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

/** Declarations that say nothing, and examples that do not fit. */
function examples({ sheet, yaml }: SheetSource): readonly Diagnostic[] {
  return Object.entries(sheet.inputs).flatMap(([name, input]): readonly Diagnostic[] => {
    const { shape, otherwise, example, type } = input;
    const report = (key: string, message: string): readonly Diagnostic[] => [
      diagnosticAt(yaml, ['inputs', name, key], { code: 'E_SHEET', severity: 'error', message }),
    ];
    if (shape === undefined && otherwise !== undefined) {
      return report('otherwise', 'otherwise is for values that do not fit a shape, and there is no shape');
    }
    if (shape !== undefined && type === 'json') return report('shape', 'An input of type json has no shape');
    if (example === undefined) return [];
    const why = valueProblem(input, example);
    return why === undefined ? [] : report('example', `The example does not fit its shape: ${why}`);
  });
}

/** Why a value cannot be handed in. */
function valueProblem(input: SheetInput, value: string): string | undefined {
  const { shape, type } = input;
  const json = type === undefined ? undefined : jsonProblem(input, value);
  if (json !== undefined || shape === undefined) return json;
  const texts = type === 'list' ? (JSON.parse(value) as readonly string[]) : [value];
  return texts.map((text) => misfit(text, shape)).find((why) => why !== undefined);
}

const wrongInput = (sheet: Sheet, { name, at }: InputSlot, role: Role): readonly Diagnostic[] => {
  const type = Object.hasOwn(sheet.inputs, name) ? (sheet.inputs[name]?.type ?? 'text') : 'text';
  const message = `The input "${name}" is of type ${type}: print it in a template`;
  const isText = type === 'text' ? [] : [{ code: 'E_SHEET_INPUT', message }];
  return [...inputProblems(sheet, name, role), ...isText].map((problem) => ({
    ...problem,
    severity: 'error',
    ...placeOf(at),
  }));
};

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
  const { secrecy, trust, shape, otherwise } = declared;
  // A text of an enumeration is the author's own, whoever chooses it.
  const isChosen = shape !== undefined && 'enum' in shape && otherwise !== 'fence';
  const problems: { code: string; message: string }[] = [];
  if (secrecy === 'secret') {
    const message = `The input "${name}" is secret and would reach the model`;
    problems.push({ code: 'E_SECRET_IN_PROMPT', message });
  }
  if (role === 'system' && !isChosen && trust !== undefined && isBelow(trust, 'operator')) {
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
  const wrong = [
    ...histories.flatMap((history) => historyProblems(history, values)),
    ...Object.entries(sheet.inputs).flatMap(([name, input]) => {
      const why = Object.hasOwn(values, name) ? jsonProblem(input, values[name] ?? '') : undefined;
      return why === undefined ? [] : [`The input "${name}" does not fit: ${why}`];
    }),
  ];
  return [...unknown, ...missing, ...wrong].map((message) => ({
    code: 'E_INPUT',
    severity: 'error',
    message,
  }));
}
