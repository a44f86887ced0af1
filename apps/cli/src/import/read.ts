import {
  type ForeignFile,
  type FormatReader,
  type ImportDraft,
  mergeAdopted,
  type ReadHow,
} from '@cuebook/adopt';
import type { Files } from '@cuebook/files';

/** Files that name each other are read in rounds, each with the files that the one before asked for. */
const MAX_ROUNDS = 20;
const MAX_BYTES = 32 * 1024 * 1024;

export interface NamedSource {
  readonly file: ForeignFile;
  readonly reader: FormatReader;
}

/** Reads the sources. A file of the project that one of them names is handed to it. */
export async function readSources(
  sources: readonly NamedSource[],
  how: Omit<ReadHow, 'file'>,
  files: Files,
): Promise<ImportDraft> {
  const known = new Map<string, Uint8Array | undefined>();
  for (let round = 1; ; round += 1) {
    const wanted = new Set<string>();
    const file = (path: string): Uint8Array | undefined => {
      if (!known.has(path)) wanted.add(path);
      return known.get(path);
    };
    const read = sources.map(({ reader, file: source }) => reader.read(source, { ...how, file }));
    if (wanted.size === 0 || round === MAX_ROUNDS) return mergeAdopted(read);
    for (const path of wanted) {
      const bytes = await files.readBytes(path, { limit: MAX_BYTES });
      known.set(path, bytes.ok ? bytes.value : undefined);
    }
  }
}
