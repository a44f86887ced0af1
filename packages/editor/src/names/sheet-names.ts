import { readYaml, type YamlSource } from '@cuebook/yaml';
import { linesOfText, type TextLines, type TextRange } from '../text/lines.js';
import { AUTHORED_LABELS } from './labels.js';
import type { NameUse } from './name-use.js';
import { type TemplateName, templateNames } from './template-names.js';
import { keyRange, stringsBelow } from './yaml-strings.js';

/** The names in a sheet: texts that it includes, its inputs and where they are used. */
export function namesOfSheet(file: string, text: string): readonly NameUse[] | undefined {
  const read = readYaml(file, text, 'E_SHEET');
  const yaml = read.ok ? read.value : read.rest;
  if (yaml === undefined) return undefined;
  const lines = linesOfText(text);
  const declared = Object.keys(Object((yaml.value as { inputs?: object } | null)?.inputs ?? {}) as object);
  const inputs = declared.flatMap((name): NameUse[] => {
    const range = keyRange(yaml, lines, ['inputs', name]);
    return range === undefined ? [] : [{ kinds: ['input'], name, scope: file, range, isDefinition: true }];
  });
  return [...inputs, ...partNames(yaml, lines, { top: ['blocks'], scope: file })];
}

/** The names in a text that is made of parts. Its inputs are those of the sheets that include it. */
export function namesOfText(file: string, text: string): readonly NameUse[] | undefined {
  const own = fileName('text', /^texts\/(.+)\.(?:md|yaml)$/.exec(file)?.[1] ?? file);
  if (file.endsWith('.md')) return [own];
  const read = readYaml(file, text, 'E_SHEET');
  const yaml = read.ok ? read.value : read.rest;
  if (yaml === undefined) return undefined;
  return [own, ...partNames(yaml, linesOfText(text), { top: ['parts'], scope: '' })];
}

/** The name that a file gives to itself. */
export const fileName = (kind: NameUse['kinds'][number], name: string): NameUse => ({
  kinds: [kind],
  name,
  scope: '',
  range: { start: 0, end: 0 },
  isDefinition: true,
  isFile: true,
});

function partNames(
  yaml: YamlSource,
  lines: TextLines,
  { top, scope }: { readonly top: readonly PropertyKey[]; readonly scope: string },
): readonly NameUse[] {
  return stringsBelow(yaml, lines, top).flatMap(({ path, value, range }): readonly NameUse[] => {
    const key = path.at(-1);
    if (key === 'template') {
      return namesInTemplate(yaml, lines, path).map(({ kind, name, range: at }) => ({
        kinds: [kind === 'include' ? 'text' : 'input'],
        name,
        scope: kind === 'include' ? '' : scope,
        range: at,
        isDefinition: false,
      }));
    }
    if ((key !== 'include' && key !== 'input') || range === undefined) return [];
    const isInput = key === 'input';
    return [
      {
        kinds: [isInput ? 'input' : 'text'],
        name: value,
        scope: isInput ? scope : '',
        range,
        isDefinition: false,
      },
    ];
  });
}

/** The names of a template in a scalar, at their places in the file; one that is written otherwise there is left out. */
export function namesInTemplate(
  yaml: YamlSource,
  { text, offsetOf }: TextLines,
  path: readonly PropertyKey[],
): readonly TemplateName[] {
  const pieces = yaml.pieces(path, AUTHORED_LABELS);
  const starts: { readonly from: number; readonly at: number | undefined; readonly length: number }[] = [];
  let whole = '';
  for (const { text: part, origin } of pieces) {
    const at =
      origin.kind === 'file' && origin.line !== undefined ? offsetOf(origin.line, origin.column) : undefined;
    starts.push({ from: whole.length, at, length: part.length });
    whole += part;
  }
  const inFile = ({ start, end }: TextRange): TextRange | undefined => {
    const piece = starts.findLast(({ from }) => from <= start);
    if (piece?.at === undefined || end > piece.from + piece.length) return undefined;
    const at = piece.at + start - piece.from;
    return text.slice(at, at + end - start) === whole.slice(start, end)
      ? { start: at, end: at + end - start }
      : undefined;
  };
  return templateNames(whole).flatMap((name) => {
    const range = inFile(name.range);
    return range === undefined ? [] : [{ ...name, range }];
  });
}
