import type { Composed, ComposeHow } from '@cuebook/profile';
import {
  type BlockInput,
  besideSources,
  type Diagnostic,
  describeIncludeError,
  type Piece,
  type Place,
  resolveIncludes,
} from '@cuebook/prompt';
import { besidePath, contractOf, paramsOf } from './answer.js';
import { type HandedIn, newWork } from './fill.js';
import { fillMessage } from './fill-message.js';
import { historyBlocks } from './history.js';
import { AUTHORED, entriesOf, type OpenPart, type OpenSlot, openParts, type SheetMessage } from './part.js';
import type { SheetSource } from './source.js';

/** A sheet and its inputs to blocks. Inputs that are absent leave no trace. */
export function composeSheet(
  source: SheetSource,
  values: Readonly<Record<string, string>>,
  { isSample = false }: ComposeHow = {},
): Composed {
  const diagnostics: Diagnostic[] = [];
  const work = newWork();
  const blocks = entriesOf(source.sheet).flatMap((entry): readonly BlockInput[] => {
    if ('history' in entry) return historyBlocks(entry.history, values, source.yaml);
    const made = composeMessage(source, entry.message, { values, isSample, work });
    diagnostics.push(...made.diagnostics);
    return [made.block];
  });
  const { tools, capabilities, meta } = source.sheet;
  const params = paramsOf(source.sheet);
  const sources = besideSources({ tools, params }, (path) => {
    const at = besidePath(path, source.sheet);
    const [first, ...more] = source.yaml.pieces(at, AUTHORED);
    const isSlice = first !== undefined && more.length === 0;
    return { origin: isSlice ? first.origin : { kind: 'value', ...source.yaml.place(at) }, ...AUTHORED };
  });
  const contract = contractOf(source.sheet);
  const value = {
    ...{ blocks, tools, params, sources, capabilities },
    ...(meta === undefined ? {} : { meta }),
    ...(contract === undefined ? {} : { contract }),
  };
  return diagnostics.length > 0 ? { ok: false, diagnostics, partial: value } : { ok: true, value };
}

/**
 * The parts of a message end to end, texts that it includes put in, inputs filled in, and what is wrong with it. What a
 * part is wrong in leaves the others there to be judged.
 */
function composeMessage(
  source: SheetSource,
  { name, role, parts, omitsBlank }: SheetMessage,
  given: HandedIn,
): { readonly block: BlockInput; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const open = parts.flatMap((part) => {
    const resolved = resolveIncludes<OpenSlot>(
      openParts(part, source.yaml),
      (text): readonly OpenPart[] | undefined => source.texts.get(text),
    );
    if (resolved.ok) return resolved.value;
    const { at, code } = resolved.error;
    const message = describeIncludeError(resolved.error);
    diagnostics.push({ code, severity: 'error', message, ...placeOf(at) });
    return [];
  });
  const filled = fillMessage(source, role, open, given);
  if (!filled.ok) diagnostics.push(...filled.error);
  const pieces = filled.ok ? filled.value : open.filter((part): part is Piece => !('slot' in part));
  // A block without text is no message.
  const isOmitted = omitsBlank === true && pieces.every(({ text }) => text.trim() === '');
  return { block: { name, role, pieces: isOmitted ? [] : pieces }, diagnostics };
}

const placeOf = ({ ref, line, column }: Place): Pick<Diagnostic, 'file' | 'line' | 'column'> => ({
  file: ref,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});
