import { afterAll, beforeAll } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { type Postgres, startPostgres } from '../../../../test/postgres.js';
import { storeConformance } from '../../test/conformance.js';
import { postgresPlaces } from '../../test/places.js';

describePart('postgres', 'postgres', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());
  storeConformance(postgresPlaces(() => server));
});
