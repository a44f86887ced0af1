import type { Result } from '@cuebook/prompt';
import type { JournalError } from './error.js';

/** What the journal answers where a failure is expected. */
export type JournalResult<Value> = Result<Value, JournalError>;
