import type { ExportPrompt } from '../writer.js';

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
