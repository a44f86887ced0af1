import { isUntouched, regionsOf } from '@cuebook/adopt';
import type { Files } from '@cuebook/files';
import { type ExportEntry, readLock } from '../export/lock.js';
import { sha256Of } from '../export/plan.js';
import type { NamedSource } from './read.js';

/**
 * The sheets that a file was exported from, when that is all that the file holds: export wrote it, nobody edited it since, and
 * the sheets are there. Then the sheets are the source, and there is nothing to import.
 */
export async function exportedFrom(
  files: Files,
): Promise<(source: NamedSource['file']) => Promise<readonly string[]>> {
  const entries = await readLock(files);
  return async ({ path, bytes }) => {
    const own = entries.filter((entry) => entry.path === path);
    if (own.length === 0) return [];
    const targets = targetsOf(Buffer.from(bytes).toString(), own);
    const present = await Promise.all(
      targets.map(async (target) => {
        const [, name] = /^sheet:(.+)$/s.exec(target) ?? [];
        const found = name === undefined ? undefined : await files.exists(`sheets/${name}.yaml`);
        return found?.ok === true && found.value;
      }),
    );
    return present.every(Boolean) ? targets : [];
  };
}

function targetsOf(text: string, entries: readonly ExportEntry[]): readonly string[] {
  const whole = entries.find(({ sha256 }) => sha256 === sha256Of(text));
  if (whole !== undefined) return [whole.target];
  const regions = regionsOf(text);
  let rest = '';
  let from = 0;
  for (const { start, end } of regions) {
    rest += text.slice(from, start);
    from = end;
  }
  const isOurs = regions.every(
    (region) =>
      isUntouched(region) &&
      entries.some(({ target, sha256 }) => target === region.target && sha256 === region.sha256),
  );
  return isOurs && (rest + text.slice(from)).trim() === '' ? regions.map(({ target }) => target) : [];
}
