import { describe } from 'vitest';
import { storeConformance } from '../../test/conformance.js';
import { sqlitePlaces } from '../../test/places.js';

describe('sqlite', () => storeConformance(sqlitePlaces));
