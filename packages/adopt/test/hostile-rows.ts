import { expect, it } from 'vitest';
import type { ImportDraft } from '../src/draft.js';
import type { FormatReader } from '../src/reader.js';
import { adoptHostile, losses } from './hostile.js';
import { rendered } from './render.js';

/** A hostile file of one format, and what becomes of it. */
export interface HostileRow {
  readonly what: string;
  readonly file: unknown;
  /** The codes that are worse than an info line. */
  readonly lost: readonly string[];
  /** What is sent; none when the prompt is refused. */
  readonly sent?: readonly string[];
  /** Codes of info lines that must be among the others. */
  readonly told?: readonly string[];
}

/** Holds a reader to its table; `files` stand beside the file that is read. */
export const holds = (
  reader: FormatReader,
  path: string,
  rows: readonly HostileRow[],
  files: Readonly<Record<string, string>> = {},
): void => {
  it.each(rows)('$what', async ({ file, lost, sent, told = [] }) => {
    const text = typeof file === 'string' ? file : JSON.stringify(file);
    const how = { file: (name: string) => (name in files ? Buffer.from(files[name] ?? '') : undefined) };
    const adopted = await adoptHostile({ reader, path, text, how });
    expect(losses(adopted)).toEqual(lost);
    expect(adopted.diagnostics.map(({ code }) => code)).toEqual(expect.arrayContaining([...told]));
    expect(adopted.sheets.length > 0).toBe(sent !== undefined);
    if (sent !== undefined)
      expect((await rendered(adopted, valuesOf(adopted))).map(({ content }) => content)).toEqual(sent);
  });
};

/** `A` for the input `a`, and so on. */
const valuesOf = ({ sheets }: ImportDraft): Readonly<Record<string, string>> =>
  Object.fromEntries([...(sheets[0]?.inputs.keys() ?? [])].map((name) => [name, name.toUpperCase()]));
