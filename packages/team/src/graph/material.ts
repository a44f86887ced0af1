/** The event that ties a text to its run. It is there, and its content is on disk, before anybody names it. */
export const ARTIFACT_EVENT = 'artifact.kept';

/** How prompts, handoffs and tools name a text that is kept with a run. */
export const artifactRef = (hash: string): string => `${ARTIFACT}${hash}`;

const ARTIFACT = 'artifact://';
const PACK = 'contextpack://';

/** The hash that a reference names; undefined: it refers to something else, such as a file or an address. */
export function hashOfRef(ref: string): string | undefined {
  const wanted = ref.trim();
  const scheme = [ARTIFACT, PACK].find((each) => wanted.toLowerCase().startsWith(each));
  return scheme === undefined ? undefined : wanted.slice(scheme.length);
}
