import { guard } from '@cuebook/guard';
import { isSameNumber, type YamlSource } from '@cuebook/yaml';
import type { Reporter } from '../diagnostic.js';
import type { LineColumn } from './mapped.js';

/** A number of a source: what is written there, and what was read. */
interface ReadNumber {
  readonly written: string;
  readonly value: number;
  readonly at: () => LineColumn;
}

/** More numbers of one file than this are counted. */
const MAX_TOLD = 20;

/** Names the numbers that are written with more digits, or larger, than numbers of JavaScript can be. */
export function sayNumbers(numbers: Iterable<ReadNumber>, report: Reporter): void {
  const changed = [...numbers].filter(({ written, value }) =>
    guard('adopt.number', !isSameNumber(written, value)),
  );
  for (const [index, { written, value, at }] of changed.slice(0, MAX_TOLD).entries()) {
    const rest = changed.length - index - 1;
    const more = index === MAX_TOLD - 1 && rest > 0 ? `. ${rest} more numbers are like this one` : '';
    const message = `The number ${short(written)} was read as ${value}, as JavaScript has it; other languages read all of its digits${more}`;
    report.info('W_IMPORT_DIALECT', at(), message);
  }
}

/** The numbers of a YAML document that begins at a line of its file. */
export const sayYamlNumbers = (yaml: YamlSource, report: Reporter, firstLine = 1): void =>
  sayNumbers(
    yaml.numbers().map(({ written, value, place: { line = 1, column = 1 } }) => ({
      written,
      value,
      at: () => ({ line: line + firstLine - 1, column }),
    })),
    report,
  );

const short = (written: string): string => (written.length > 60 ? `${written.slice(0, 60)}…` : written);

/** Whether every number of plain data is one that JSON has. */
export function isSendable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isSendable);
}
