import type { Scenario } from '../scenario.js';
import { COLLABORATION } from './collaboration.js';
import { DAILY } from './daily.js';
import { PLATFORM } from './platform.js';
import { SOCIAL } from './social.js';

/** The scenarios that come with Cuebook, by id. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map(
  [...SOCIAL, ...DAILY, ...COLLABORATION, ...PLATFORM].map((scenario) => [scenario.id, scenario]),
);
