import type { Scenario } from '@cuebook/bundle';

/** A scenario with its version and the parameters that go with it. */
export const scenarioLine = ({ id, version, preset }: Pick<Scenario, 'id' | 'version' | 'preset'>): string =>
  `${id.padEnd(16)} version ${version}  ${Object.entries(preset)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ')}`;
