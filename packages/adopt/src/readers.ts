import type { Reader } from './reader.js';
import { langfuseReader } from './readers/langfuse.js';
import { openaiReader } from './readers/openai.js';

/** Every format that can be imported, in the order in which they are tried on a file. */
export const READERS: readonly Reader[] = [openaiReader, langfuseReader];

/** The reader of a format by its name. */
export const readerOf = (id: string): Reader | undefined => READERS.find((reader) => reader.id === id);
