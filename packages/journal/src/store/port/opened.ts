import type { Tables } from '../../schema/migrate.js';
import type { Driver } from './driver.js';

/** A driver with the words of its database. */
export interface OpenedDriver {
  readonly driver: Driver;
  readonly tables: Tables;
}
