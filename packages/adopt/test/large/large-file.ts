import type { ReadHow } from '../../src/reader.js';

/** A file that grows with `n`, of one format. `files` stand beside it. */
export interface LargeFile {
  readonly reader: string;
  readonly what: string;
  readonly path: string;
  readonly text: (n: number) => string;
  readonly files?: (n: number) => Readonly<Record<string, string>>;
  /** How it is read, beside the files. */
  readonly how?: ReadHow;
}

export const json = (value: unknown): string => JSON.stringify(value);
export const list = <T>(n: number, each: (index: number) => T): readonly T[] =>
  Array.from({ length: n }, (_, index) => each(index));
