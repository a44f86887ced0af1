import { beforeAll } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { storeConformance } from '../../test/conformance.js';
import { postgresPlaces } from '../../test/places.js';

describePart('postgres', 'postgres', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  storeConformance(postgresPlaces(() => server));
});
