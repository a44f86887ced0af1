import { guard } from '@cuebook/guard';
import {
  type ByteMap,
  type Diagnostic,
  decodedOrigin,
  describeIncludeError,
  fail,
  findInvisible,
  isBelow,
  isOneLine,
  joinLabels,
  ok,
  type Piece,
  type Place,
  piecesText,
  type Result,
  resolveIncludes,
} from '@cuebook/prompt';
import { type Rendered, signed, type TemplateSpan, tagged } from '@cuebook/template';
import {
  computedLabels,
  declaredInput,
  fence,
  type HandedIn,
  type StandingText,
  standInput,
} from '../fill.js';
import { AUTHORED, type OpenPart, type OpenSlot, type TemplateSlot } from '../part.js';
import type { SheetSource } from '../source.js';
import { dataOf, type InputTag } from './data.js';
import { flowOf, parseSlot, templateProblem } from './parse.js';
import { findReasons } from './reasons.js';

type FilledItem = Piece | StandingText;

/** Fills the slots of an included text in turn. Handed in: the two call each other. */
export type FillParts = (
  source: SheetSource,
  parts: readonly (Piece | OpenSlot)[],
  given: HandedIn,
) => { readonly items: readonly FilledItem[]; readonly diagnostics: readonly Diagnostic[] };

/** A runaway template ends. */
const LIMITS = { outputBytes: 4 * 1024 * 1024, steps: 1_000_000 };

/** What an included text is made of, for as long as a template prints it unchanged. */
interface IncludeTag {
  readonly items: readonly FilledItem[];
}

/**
 * Executes a template of a sheet. Its own text, inputs that it prints and texts that it includes keep their origin and
 * labels; what it computes is a result of its action, with the labels of all that it may have been computed from.
 */
export function executeSlot(
  source: SheetSource,
  slot: TemplateSlot,
  given: HandedIn,
  fillParts: FillParts,
): Result<readonly FilledItem[], Diagnostic> {
  const parsed = parseSlot(slot);
  if (!parsed.ok) return fail(parsed.diagnostic);
  const { template, map } = parsed;
  let problem: Diagnostic | undefined;
  const include = signed(['string'], (name: string) => {
    const items = includedItems(source, name, given, fillParts);
    if (!items.ok) {
      problem ??= items.error;
      throw new Error(items.error.message);
    }
    return tagged(joinText(items.value), { items: items.value } satisfies IncludeTag);
  });
  const data = dataOf(source.sheet, given.values);
  const rendered = template.render(data, { functions: { include }, limits: LIMITS });
  if (!rendered.ok) {
    const error = mayQuote(source) ? { ...rendered.error, message: WITHHELD } : rendered.error;
    return fail(problem ?? templateProblem(error, map));
  }
  const flow = flowOf(template, source.texts);
  const reasonsAt = findReasons(template, map);
  return ok(itemsOf(rendered.value, { source, slot, given, map, inputsAt: flow.inputsAt, reasonsAt }));
}

/** An error text may quote what a function was given. */
const mayQuote = ({ sheet }: SheetSource): boolean =>
  Object.values(sheet.inputs).some(({ secrecy }) => secrecy !== 'public');

const WITHHELD =
  'The template failed. The words of this error are withheld, because they could quote an input that is not public';

function includedItems(
  source: SheetSource,
  name: string,
  given: HandedIn,
  fillParts: FillParts,
): Result<readonly FilledItem[], Diagnostic> {
  const parts = source.texts.get(name);
  if (parts === undefined) {
    // A name that is written out has been told of when the sheet was read; any other may be what was handed in.
    const message = 'A template includes a text that is not there';
    return fail({ code: 'E_INCLUDE_UNKNOWN', severity: 'error', message });
  }
  const { work } = given;
  const refuse = (code: string, message: string) => fail<Diagnostic>({ code, severity: 'error', message });
  if (work.open.has(name)) {
    return refuse('E_INCLUDE_CYCLE', `The text "${name}" includes itself`);
  }
  work.left -= 1;
  if (guard('sheet.template.work', work.left < 0)) {
    return refuse('E_INCLUDE_TOO_LARGE', 'The templates include too many texts');
  }
  const resolved = resolveIncludes<OpenSlot>(parts, (each): readonly OpenPart[] | undefined =>
    source.texts.get(each),
  );
  if (!resolved.ok) {
    return refuse(resolved.error.code, describeIncludeError(resolved.error));
  }
  work.open.add(name);
  const { items, diagnostics } = fillParts(source, resolved.value, given);
  work.open.delete(name);
  const [first] = diagnostics;
  if (first !== undefined) return fail(first);
  const odd = items.find((item) => 'filled' in item && item.filled.kind === 'misfit') as
    | StandingText
    | undefined;
  if (odd?.filled.kind !== 'misfit') return ok(items);
  return refuse('E_INPUT_SHAPE', `The input "${odd.name}" does not fit its shape: ${odd.filled.why}`);
}

/** What a template is given of an included text: its words, those of strangers in their fences. */
const joinText = (items: readonly FilledItem[]): string =>
  items
    .map((item) =>
      'filled' in item ? (item.filled.kind === 'misfit' ? '' : piecesText(item.filled.pieces)) : item.text,
    )
    .join('');

interface ItemOptions {
  readonly source: SheetSource;
  readonly slot: TemplateSlot;
  readonly given: HandedIn;
  readonly map: ByteMap;
  readonly inputsAt: (from: number) => ReadonlySet<string> | undefined;
  readonly reasonsAt: (from: number) => readonly Place[];
}

function itemsOf({ bytes, spans }: Rendered, options: ItemOptions): readonly FilledItem[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const items: FilledItem[] = [];
  for (let index = 0; index < spans.length; index += 1) {
    const span = spans[index] as TemplateSpan;
    const last = lastOfCharacter(bytes, spans, index);
    const own = last === index ? ownItems(span, options) : undefined;
    if (own === undefined) {
      const text = decoder.decode(bytes.subarray(span.start, spans[last]?.end));
      items.push(computed(text, spans.slice(index, last + 1), options));
    } else for (const item of own) items.push(item);
    index = last;
  }
  return items;
}

/** A template can cut characters: the span that holds the end of the one that this span begins. */
function lastOfCharacter(bytes: Uint8Array, spans: readonly TemplateSpan[], index: number): number {
  let last = index;
  const isCut = () => ((bytes[spans[last]?.end ?? 0] ?? 0) & 0xc0) === 0x80;
  while (last + 1 < spans.length && isCut()) last += 1;
  return last;
}

/** The items of a span that is printed as it is written or was handed in; undefined for one that is computed. */
function ownItems(span: TemplateSpan, options: ItemOptions): readonly FilledItem[] | undefined {
  const { source, slot, given, map, reasonsAt } = options;
  const via = [...(slot.via ?? []), ...reasonsAt(span.from)];
  if (span.kind === 'literal') {
    return map.cut(span.from, span.to).map((piece) => (via.length === 0 ? piece : ledBy(piece, via)));
  }
  const tag = span.kind === 'call' ? (span.origin as InputTag | IncludeTag | undefined) : undefined;
  if (tag === undefined) return undefined;
  const at = map.place(span.from);
  if ('items' in tag) return tag.items.map((item) => ledItem(item, [...via, at]));
  const standing = standInput(source, tag.input, { at, via }, given, tag.text);
  return standing === undefined ? [] : [standing];
}

/** Text that an action made, with the labels of all that it may have been made of. */
function computed(text: string, spans: readonly TemplateSpan[], options: ItemOptions): FilledItem {
  const { source, slot, map, inputsAt, reasonsAt } = options;
  const from = spans[0]?.from ?? 0;
  const names = inputsOf(spans, options.source, inputsAt);
  const inputs = names.flatMap((name) => declaredInput(source, name) ?? []);
  const labels = joinLabels(AUTHORED, ...inputs.map(computedLabels));
  const at = map.place(from);
  const origin = decodedOrigin({ kind: 'result', ...at, via: [...(slot.via ?? []), ...reasonsAt(from)] });
  const piece: Piece = { text, origin, ...labels };
  if (!guard('sheet.template.flow', isBelow(labels.trust, 'operator'))) return piece;
  const low = names.filter((name) => {
    const declared = declaredInput(source, name);
    return declared !== undefined && isBelow(computedLabels(declared).trust, 'operator');
  });
  const isShaped = low.every((name) => source.sheet.inputs[name]?.shape !== undefined);
  const fits = isShaped && text.length <= MAX_COMPUTED && isOneLine(text) && findInvisible(text).length === 0;
  const fenced = () => fence(source, low, labels.trust, [piece]);
  return {
    name: low.join(', '),
    at,
    filled: fits ? { kind: 'line', pieces: [piece] } : fenced(),
    fenced,
  };
}

/** What is computed and longer than this stands in a fence. */
const MAX_COMPUTED = 2_000;

function inputsOf(
  spans: readonly TemplateSpan[],
  { sheet }: SheetSource,
  inputsAt: ItemOptions['inputsAt'],
): readonly string[] {
  const found = new Set<string>();
  for (const span of spans) {
    if (span.kind === 'literal') continue;
    const names = inputsAt(span.from) ?? Object.keys(sheet.inputs);
    for (const name of names) found.add(name);
  }
  return [...found].sort();
}

const ledBy = (piece: Piece, via: readonly Place[]): Piece => ({
  ...piece,
  origin: { ...piece.origin, via: [...via, ...(piece.origin.via ?? [])] },
});

function ledItem(item: FilledItem, via: readonly Place[]): FilledItem {
  if (!('filled' in item)) return ledBy(item, via);
  const lead = (filled: StandingText['filled']): StandingText['filled'] =>
    filled.kind === 'misfit'
      ? filled
      : {
          ...filled,
          pieces: filled.pieces.map((each) => (each.origin.kind === 'structure' ? each : ledBy(each, via))),
        };
  const { fenced } = item;
  return { ...item, filled: lead(item.filled), fenced: fenced && (() => lead(fenced())) };
}
