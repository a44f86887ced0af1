import { type Call, flagValue } from '../command.js';
import { usage } from '../failure.js';

type Logging = Pick<Parameters<typeof import('@cuebook/server').startServer>[0], 'log' | 'logEntry'>;

/** Where a server or worker writes what happens: lines for a person, or one JSON object in each line. */
export function processLog({ flags, io }: Pick<Call, 'flags' | 'io'>): Logging {
  const log = (line: string) => io.err(`${line}\n`);
  if (!isJsonLog({ flags, io })) return { log };
  return {
    log,
    logEntry: (entry) => io.err(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`),
  };
}

/** Whether each line that a server or worker writes to standard error is a JSON object. */
export function isJsonLog({ flags, io }: Pick<Call, 'flags' | 'io'>): boolean {
  const format = flagValue(flags, 'log-format') ?? (io.env.CUEBOOK_LOG_FORMAT || 'text');
  if (format !== 'text' && format !== 'json')
    throw usage(`--log-format takes text or json, not ${JSON.stringify(format.slice(0, 40))}`);
  return format === 'json';
}
