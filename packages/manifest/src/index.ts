export { builtinConfigMap } from './builtin.js';
export { checkAgent } from './check.js';
export { notIncluded } from './include.js';
export { AGENT_VERSIONS, collectManifests } from './manifests.js';
export { plainObject } from './plain-object.js';
export { createManifestProfile, manifestProfile } from './profile.js';
export { parseManifests } from './read.js';
export { referencesOf, resolveAgent } from './resolve.js';
