import { PLATFORM_ROUTES } from '@cuebook/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentTests } from './platform/agents.js';
import { cardTests } from './platform/cards.js';
import { feedbackTests } from './platform/feedback.js';
import { fleetTests } from './platform/fleet.js';
import { placeTests } from './platform/places.js';
import { type PlatformStand, platformStand } from './platform/platform-stand.js';
import { agentRightsTests, rightsTests } from './platform/rights.js';
import { rolloutTests } from './platform/rollout.js';
import { versionTests } from './platform/versions.js';

let stand: PlatformStand;
beforeAll(async () => {
  stand = await platformStand();
});
afterAll(() => stand?.close());

// One platform, published step by step: each part goes on from those before it.
describe('a platform over HTTP', () => {
  const standOf = () => stand;
  agentTests(standOf);
  placeTests(standOf);
  feedbackTests(standOf);
  rolloutTests(standOf);
  versionTests(standOf);
  rightsTests(standOf);
  cardTests(standOf);
  fleetTests(standOf);
  agentRightsTests(standOf);

  test('every route has answered, and as the OpenAPI document says', () => {
    // A folder needs no address for a write: `entry/s3.test.ts` of the platform asks for one.
    const routes = Object.keys(PLATFORM_ROUTES).filter((name) => name !== 'issueUpload');
    expect(routes.filter((name) => !stand.checked.answered.has(name))).toEqual([]);
    expect(stand.checked.mismatches).toEqual([]);
  });
});
