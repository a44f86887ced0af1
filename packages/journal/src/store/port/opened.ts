import type { Tables } from '../../schema/migrate.js';
import type { SqlDriver } from './driver.js';

/** A driver with the words of its database. */
export interface OpenedDriver {
  readonly driver: SqlDriver;
  readonly tables: Tables;
}
