import type { Composed, ComposeHow } from '@cuebook/profile';
import {
  type BlockInput,
  besideSources,
  type Diagnostic,
  describeIncludeError,
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
    if (!Array.isArray(made)) return [made as BlockInput];
    diagnostics.push(...made);
    return [];
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

/** The parts of a message end to end, texts that it includes put in, inputs filled in; or what is wrong with it. */
function composeMessage(
  source: SheetSource,
  message: SheetMessage,
  given: HandedIn,
): BlockInput | readonly Diagnostic[] {
  const { name, role, parts } = message;
  const resolved = resolveIncludes<OpenSlot>(
    parts.flatMap((part) => openParts(part, source.yaml)),
    (text): readonly OpenPart[] | undefined => source.texts.get(text),
  );
  if (!resolved.ok) {
    const { at, code } = resolved.error;
    return [{ code, severity: 'error', message: describeIncludeError(resolved.error), ...placeOf(at) }];
  }
  const filled = fillMessage(source, role, resolved.value, given);
  return filled.ok ? { name, role, pieces: filled.value } : filled.error;
}

const placeOf = ({ ref, line, column }: Place): Pick<Diagnostic, 'file' | 'line' | 'column'> => ({
  file: ref,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});
