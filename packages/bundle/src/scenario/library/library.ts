import type { Scenario } from '../scenario.js';
import { COLLABORATION } from './collaboration.js';
import { DAILY } from './daily.js';
import { PLATFORM } from './platform.js';
import { SECOND } from './second.js';
import { SOCIAL } from './social.js';

/** The scenarios that come with Cuebook, by id, each in the version that a new platform assigns. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map(
  [...SOCIAL, ...DAILY, ...COLLABORATION, ...PLATFORM].map((scenario) => [scenario.id, scenario]),
);

/** Every version that comes with Cuebook. */
export const SHIPPED_VERSIONS: readonly Scenario[] = [...SCENARIOS.values(), ...SECOND];

export const findShipped = (id: string, version: number): Scenario | undefined =>
  SHIPPED_VERSIONS.find((scenario) => scenario.id === id && scenario.version === version);
