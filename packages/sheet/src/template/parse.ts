import { type ByteMap, type Diagnostic, mapBytes, type Place, piecesText } from '@cuebook/prompt';
import type { Template, TemplateError } from '@cuebook/template';
import type { OpenPart, TemplateSlot } from '../part.js';
import { templateEngine } from './engine.js';
import { findFlow, type TemplateFlow } from './flow.js';
import { valueFunctions } from './functions.js';

/** A template that parses, with the places of its bytes, or the diagnostic at the place of its error. */
export type ParsedSlot =
  | { readonly ok: true; readonly template: Template; readonly map: ByteMap }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** Parses a template of a sheet, once; what it includes is asked for when it is executed. */
export function parseSlot(slot: TemplateSlot): ParsedSlot {
  const known = PARSED.get(slot.pieces) ?? parseAnew(slot);
  PARSED.set(slot.pieces, known);
  return known;
}

const PARSED = new WeakMap<TemplateSlot['pieces'], ParsedSlot>();

function parseAnew({ pieces, at }: TemplateSlot): ParsedSlot {
  const { parseTemplate, signed } = templateEngine();
  const map = mapBytes(pieces, at);
  const parsed = parseTemplate({
    name: 'template',
    text: piecesText(pieces),
    functions: { ...valueFunctions(), include: signed(['string'], () => '') },
  });
  return parsed.ok
    ? { ok: true, template: parsed.value, map }
    : { ok: false, diagnostic: templateProblem(parsed.error, map) };
}

/** An error of a template at its place in the YAML file. */
export const templateProblem = (
  { code, message, offset }: Pick<TemplateError, 'code' | 'message' | 'offset'>,
  map: ByteMap,
): Diagnostic => problemAt(map.place(offset), code, message);

export const problemAt = ({ ref, line, column }: Place, code: string, message: string): Diagnostic => ({
  code,
  severity: 'error',
  message,
  file: ref,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});

/** A text that is included, and where. */
export interface IncludeAt {
  readonly include: string;
  readonly at: Place;
}

/** The texts that a part names: an include, or the includes of a template that are written out. */
export function includesIn(part: OpenPart): readonly IncludeAt[] {
  if ('include' in part) return [part];
  if (!('slot' in part) || part.slot !== 'template') return [];
  const parsed = parseSlot(part);
  if (!parsed.ok) return [];
  const { includes } = findFlow(parsed.template, () => []);
  return includes.flatMap(({ name, offset }) =>
    name === undefined ? [] : [{ include: name, at: parsed.map.place(offset) }],
  );
}

/** The inputs that a text can print or look at, with all texts that it includes. */
export function inputsOfText(
  name: string,
  texts: ReadonlyMap<string, readonly OpenPart[]>,
): ReadonlySet<string> {
  const inputs = new Set<string>();
  const names = [name];
  const asked = new Set(names);
  for (let next = names.pop(); next !== undefined; next = names.pop()) {
    for (const part of texts.get(next) ?? []) {
      if ('slot' in part && part.slot === 'input') inputs.add(part.name);
      if ('slot' in part && part.slot === 'template') for (const each of fieldsOf(part)) inputs.add(each);
      for (const { include } of includesIn(part)) {
        if (!asked.has(include)) names.push(include);
        asked.add(include);
      }
    }
  }
  return inputs;
}

function fieldsOf(slot: TemplateSlot): readonly string[] {
  const parsed = parseSlot(slot);
  return parsed.ok ? findFlow(parsed.template, () => []).fields.map(({ name }) => name) : [];
}

/** What flows through a template of a sheet, among the texts that the sheet can reach. */
export function flowOf(template: Template, texts: ReadonlyMap<string, readonly OpenPart[]>): TemplateFlow {
  const known = FLOWS.get(template);
  if (known?.texts === texts) return known.flow;
  const flow = findFlow(template, (name) => inputsOfText(name, texts));
  FLOWS.set(template, { texts, flow });
  return flow;
}

const FLOWS = new WeakMap<
  Template,
  { readonly texts: ReadonlyMap<string, readonly OpenPart[]>; readonly flow: TemplateFlow }
>();
