import { createHash } from 'node:crypto';
import type { CommitNames } from '../schema/commit-functions.js';

/**
 * Where in a database the tables of a store lie: the schema of one project, or (left out) the schema that the database
 * gives to whoever names none.
 */
export type SchemaName = string | undefined;

const PREFIX = 'cuebook_';

/** The schema of a project: all that is the project's lies there, and nothing of any other. */
export const schemaOf = (project: string): string =>
  // A longer name would be cut by the database, and two that are cut may be one.
  `${PREFIX}${project.length <= 40 ? project : `prj_${digits(project).slice(0, 32)}`}`;

/** The names of all schemas that are a project's begin so. */
export const PROJECT_SCHEMAS = `${PREFIX}prj_`;

/** The schema of a project's work queue. */
export const queueSchemaOf = (schema: SchemaName): string =>
  schema === undefined ? 'cuebook_work' : `${schema}_q`;

/** The lock and the channel of a store: stores in one database neither wait for nor wake each other. */
export const namesOf = (schema: SchemaName): CommitNames =>
  schema === undefined
    ? { lockKey: 0x6375_6562, channel: 'cuebook_journal' }
    : {
        lockKey: Number.parseInt(digits(schema).slice(0, 12), 16),
        channel: `cuebook_j_${digits(schema).slice(0, 24)}`,
      };

const digits = (text: string): string => createHash('sha256').update(text).digest('hex');
