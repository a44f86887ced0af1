export { BUILTIN_VERSION, builtinConfigMap } from './builtin.js';
export { checkAgent } from './check.js';
export { notIncluded } from './include.js';
export { AGENT_VERSIONS, collectManifests, type Manifests } from './manifests.js';
export { LIBRARY_LABELS } from './object.js';
export { type LiveObject, overlayManifests } from './overlay.js';
export { plainObject } from './plain-object.js';
export { createManifestProfile, manifestProfile, manifestProfileOf } from './profile.js';
export {
  changedAgents,
  type KeyEdit,
  type PromptLibrary,
  promptLibraries,
  withEdits,
} from './prompt-library.js';
export { parseManifests, readManifests } from './read.js';
export { referencesOf, resolveAgent } from './resolve.js';
