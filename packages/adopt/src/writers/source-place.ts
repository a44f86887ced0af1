import type { ExportPrompt, ExportReport } from '../writer.js';

/**
 * The file that a prompt was imported from, where that is a place of the format: written anywhere else, the tool would find it
 * twice. `kind` is the folder of sheets that an import makes of such files: a sheet that was given another name is a copy.
 */
export function sourcePlace(
  { name, meta: { source } }: ExportPrompt,
  kind: string,
  place: RegExp,
): string | undefined {
  const file =
    typeof source === 'object' && source !== null && 'file' in source && typeof source.file === 'string'
      ? source.file
      : '';
  const isOwn = name.startsWith(`${kind}/`) || name.includes(`/${kind}/`);
  const isInside = !file.split('/').some((part) => part === '..' || part === '.' || part === '');
  return isOwn && isInside && place.test(file) ? file : undefined;
}

/** A file that would lose the places of inputs on its way back is refused: what they stand for is in no other file. */
export function refuseLostPlaces(
  { absent = [], meta }: ExportPrompt,
  path: string,
  report: ExportReport,
): void {
  const { source } = meta;
  const isSource = typeof source === 'object' && source !== null && 'file' in source && source.file === path;
  if (!isSource || absent.length === 0) return;
  const way = absent.map((name) => `--set ${name}=VALUE`).join(' ');
  report.refuse(
    'E_EXPORT_FORMAT',
    `the file that it was imported from has a variable of the tool for ${absent.join(', ')}; write it with ${way}`,
  );
}
