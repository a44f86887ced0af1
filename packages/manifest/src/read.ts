import { setImmediate as turn } from 'node:timers/promises';
import { describeFileError, type TextSource } from '@cuebook/files';
import type { Diagnostic } from '@cuebook/prompt';
import { readYamlDocuments } from '@cuebook/yaml';
import { createCollector, type ManifestCollector, type Manifests } from './manifests.js';

export interface ManifestReadOptions {
  /** The folder read, with all below it. */
  readonly folder: string;
  /** Whether every file is a manifest, whatever its name; otherwise `.yaml`, `.yml` and `.json` are. */
  readonly everyFile?: boolean;
}

/** Reads the manifests of one source. */
export type ReadManifests = (source: TextSource, options: ManifestReadOptions) => Promise<Manifests>;

/**
 * A reader that reads each source once, whoever asks for it and however often, so that composing every Agent of a
 * folder takes time in proportion to the folder. Open the folder again to see what has changed in it.
 */
export function createManifestReader(): ReadManifests {
  const known = new WeakMap<TextSource, Promise<Manifests>>();
  return (source, options) => {
    const reading = known.get(source) ?? readManifests(source, options);
    known.set(source, reading);
    return reading;
  };
}

/** The manifests of one folder of a source. */
export async function readManifests(source: TextSource, options: ManifestReadOptions): Promise<Manifests> {
  const collector = createCollector();
  for await (const path of source.walk(options.folder)) {
    const isManifest = path.ok && (options.everyFile === true || /\.(?:ya?ml|json)$/i.test(path.value));
    if (path.ok && !isManifest) continue;
    // A folder may have many files: between two of them the process hears what it is told.
    await turn();
    const text = path.ok ? await source.readText(path.value) : path;
    if (path.ok && text.ok) addText(collector, path.value, text.value);
    else if (!text.ok && !isAbsent(text.error, options.folder)) collector.report(fileProblem(text.error));
  }
  return collector.manifests();
}

/** The objects in texts by file name, one stream of YAML or JSON documents each. Pure. */
export function parseManifests(texts: Iterable<readonly [file: string, text: string]>): Manifests {
  const collector = createCollector();
  for (const [file, text] of texts) addText(collector, file, text);
  return collector.manifests();
}

function addText(collector: ManifestCollector, file: string, text: string): void {
  const read = readYamlDocuments(file, text, 'E_MANIFEST', { oldBooleans: true, merge: true });
  for (const diagnostic of read.diagnostics) collector.report(diagnostic);
  for (const document of read.documents) collector.add(document);
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
