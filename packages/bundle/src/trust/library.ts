import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Metadata, Targets } from '@tufjs/models';
import { TARGETS } from '../ids.js';
import type { KeySigner } from '../key/key.js';
import type { Scenario } from '../scenario/scenario.js';
import { templateBytes } from './bundle.js';
import { type TrustError, trustError } from './error.js';
import { digestOf, parseTargets, type SignedMetadata, targetsMetadata } from './metadata.js';
import { readMetadata } from './spelling.js';

/** The signed list of templates, its signatures checked. */
export interface SignedLibrary extends SignedMetadata {
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** How many templates it lists. */
  readonly size: number;
  /** Whether it lists a version, word for word. */
  readonly lists: (scenario: Scenario) => boolean;
  /** Whether it lists a version, in whatever words. */
  readonly names: (scenario: Pick<Scenario, 'id' | 'version'>) => boolean;
}

/**
 * The list of templates, checked as an agent will check it: signed by enough keys of the role `library` as `targets`
 * names them. Whether it has expired is for the caller to say.
 */
export function readLibrary(targets: SignedMetadata, bytes: Uint8Array): Result<SignedLibrary, TrustError> {
  const stored = Buffer.from(bytes);
  const read = readMetadata(stored, 'library');
  if (!read.ok) return read;
  try {
    const library = parseTargets(read.value);
    parseTargets(targets.bytes).verifyDelegate('library', library);
    return ok(libraryOf(library, stored));
  } catch (error) {
    return fail(trustError(error, 'library'));
  }
}

/** The list of templates, if the holder of this one key signed it: what an offline signer can know. */
export function readOwnLibrary(signer: KeySigner, bytes: Uint8Array): Result<SignedLibrary, TrustError> {
  const own = { keys: [signer.publicKey], threshold: 1 };
  const roles = { library: own, reviews: own, assignment: own, log: own };
  return readLibrary(targetsMetadata(roles, { version: 1, expires: 0, signers: [signer] }), bytes);
}

function libraryOf({ signed }: Metadata<Targets>, bytes: Buffer): SignedLibrary {
  const { targets, version, expires } = signed;
  return {
    version,
    bytes,
    expires: Date.parse(expires),
    size: Object.keys(targets).length,
    names: ({ id, version: asked }) => Object.hasOwn(targets, TARGETS.template(id, asked)),
    lists: (scenario) => {
      const path = TARGETS.template(scenario.id, scenario.version);
      const listed = Object.hasOwn(targets, path) ? targets[path] : undefined;
      const { length, hashes } = digestOf(templateBytes(scenario));
      const isIt = listed?.length === length && listed.hashes.sha256 === hashes.sha256;
      return !guard('library.lists', !isIt);
    },
  };
}
