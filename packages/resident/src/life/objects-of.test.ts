import { certifyPlace, placeSchema } from '@cuebook/bundle';
import { expect, test } from 'vitest';
import { AGENT_SCENARIOS, NOW } from '../../../bundle/test/platform.js';
import { must } from '../../../bundle/test/scratch.js';
import { options, town } from '../../test/life.js';
import { objectsOf } from './objects-of.js';

const PROPOSAL = { type: 'propose_task', title: 'A map' };
const VALUES: Readonly<Record<string, unknown>> = {
  daily_checkin: { checkin_text: 'Hi', proposal: PROPOSAL },
  collab_propose: { title: 'A map' },
};

test.each(AGENT_SCENARIOS.map(({ id, version, output }) => [id, version, output.format] as const))(
  'what comes of %s says its kind, its schema, its author and the version of its words',
  (scenario, version, format) => {
    const value = VALUES[scenario] ?? (format === 'text' ? 'Hello.' : { a: 1 });
    const deed = { scenario, key: 'k.json', requestKey: 'req_TYPE.json', values: {}, sources: {} };
    const answer = { ...{ failed: null, problems: [], cohort: null }, value, version };
    const made = objectsOf('ada', deed, answer as never, NOW);
    expect(made.length).toBeGreaterThan(0);
    for (const { body } of made)
      expect(body).toMatchObject({
        kind: expect.stringMatching(/^(?:topic|task)_/),
        schema_version: 1,
        agent_id: 'ada',
        created_at: expect.stringMatching(/^2026-11-15T/),
        scenario,
        scenario_version: version,
      });
  },
);

test.each(['topic', 'task', 'circle'] as const)('the manifest of a %s says its schema', async (kind) => {
  const platform = await town([]);
  const place = placeSchema.parse({ kind, id: 'x', title: 'X', mode: 'freeform' });
  const stored = JSON.parse(must(certifyPlace(place, options(platform))).toString());
  expect(stored).toMatchObject({
    kind: `${kind}_manifest`,
    schema_version: 1,
    cert: { version: expect.any(Number) },
  });
});
