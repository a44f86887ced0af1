import type { Call } from '../command.js';
import { isJsonLog } from './process-log.js';

/**
 * What packages print by themselves, and warnings of Node, as lines of the log: a collector that was promised an object in
 * each line gets nothing else. Their words may hold anything, so only names and codes are told. The answer gives the
 * console back.
 */
export function hearPrints({ flags, io }: Pick<Call, 'flags' | 'io'>, role: 'server' | 'worker'): () => void {
  if (!isJsonLog({ flags, io })) return () => undefined;
  const tell = (...said: readonly unknown[]): void => {
    const error = said.find((each): each is Error => each instanceof Error);
    const { code } = Object(error) as { readonly code?: unknown };
    const entry = {
      ...{
        time: new Date().toISOString(),
        level: 'warn',
        message: 'A package of this process printed something.',
      },
      ...{ role, ...(typeof code === 'string' && CODE.test(code) && { code }) },
      ...(error !== undefined && NAME.test(error.name) && { error: error.name }),
    };
    io.err(`${JSON.stringify(entry)}\n`);
  };
  const before = PRINTS.map((name) => [name, console[name]] as const);
  for (const name of PRINTS) console[name] = tell;
  const warned = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', tell);
  return () => {
    Object.assign(console, Object.fromEntries(before));
    process.off('warning', tell);
    for (const each of warned) process.on('warning', each);
  };
}

const PRINTS = ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const;
const CODE = /^(?:[A-Z][A-Z0-9_]{1,60}|[0-9A-Z]{5})$/;
const NAME = /^[A-Z][A-Za-z]{0,60}$/;
