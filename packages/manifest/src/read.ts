import { describeFileError, type TextSource } from '@cuebook/files';
import { readYamlDocuments, type YamlSource } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import { collectManifests, type Manifests } from './manifests.js';

export interface ReadOptions {
  /** The folder read, with all below it. */
  readonly folder: string;
  /** Whether every file is a manifest, whatever its name; otherwise `.yaml`, `.yml` and `.json` are. */
  readonly everyFile?: boolean;
}

/** Reads the manifests of one source. It remembers the documents of texts that are still the same. */
export type ReadManifests = (source: TextSource, options: ReadOptions) => Promise<Manifests>;

/**
 * A reader that parses a text once for as long as it stays the same, so that composing every Agent of a
 * folder takes time in proportion to the folder. It holds the texts of its last call.
 */
export function createManifestReader(): ReadManifests {
  let last: ReadonlyMap<string, string> = new Map();
  let manifests: Manifests | undefined;
  return async (source, options) => {
    const texts = new Map<string, string>();
    const problems: Diagnostic[] = [];
    for await (const path of source.walk(options.folder)) {
      const isManifest = path.ok && (options.everyFile === true || /\.(?:ya?ml|json)$/i.test(path.value));
      if (path.ok && !isManifest) continue;
      const text = path.ok ? await source.readText(path.value) : path;
      if (path.ok && text.ok) texts.set(path.value, text.value);
      else if (!text.ok && !isAbsent(text.error, options.folder)) problems.push(fileProblem(text.error));
    }
    if (manifests === undefined || problems.length > 0 || !isSame(texts, last)) {
      manifests = parseManifests(texts, problems);
      last = problems.length > 0 ? new Map() : texts;
    }
    return manifests;
  };
}

/** The objects in texts by file name, one stream of YAML or JSON documents each. Pure. */
export function parseManifests(
  texts: Iterable<readonly [file: string, text: string]>,
  problems: readonly Diagnostic[] = [],
): Manifests {
  const documents: YamlSource[] = [];
  const found = [...problems];
  for (const [file, text] of texts) {
    const read = readYamlDocuments(file, text, 'E_MANIFEST', { oldBooleans: true, merge: true });
    for (const document of read.documents) documents.push(document);
    found.push(...read.diagnostics);
  }
  return collectManifests(documents, found);
}

type FileProblem = Parameters<typeof describeFileError>[0];

/** A project need not have the folder. */
const isAbsent = (error: FileProblem, folder: string): boolean =>
  error.code === 'E_FILE_NOT_FOUND' && error.path === folder;

const fileProblem = (error: FileProblem): Diagnostic => ({
  code: error.code,
  severity: 'error',
  message: describeFileError(error),
  file: error.path,
});

function isSame(now: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): boolean {
  if (now.size !== before.size) return false;
  for (const [path, text] of now) if (before.get(path) !== text) return false;
  return true;
}
