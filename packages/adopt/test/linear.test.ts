import { describe, expect, it } from 'vitest';
import { growth } from '../../../test/growth.js';
import { inTurn, sampled } from '../../../test/runs.js';
import { labelInputs } from '../src/label-inputs.js';
import { printFiles } from '../src/print-files.js';
import { readerOf } from '../src/readers.js';
import type { ExportMessage, ExportPart } from '../src/writer.js';
import { WRITERS } from '../src/writers.js';
import { promptOf } from './exported.js';
import { LARGE_FILES, type LargeFile } from './large.js';

/** What a file of twice the size may cost, with room for a busy machine; a square would be four. */
const MOST = 3.2;
const SIZE = 600;

/** Every shape once, made outside of what is measured. */
function makerOf<Value>(make: (n: number) => Value): (n: number) => Value {
  const made = new Map<number, Value>();
  return (n) => {
    const known = made.get(n) ?? make(n);
    made.set(n, known);
    return known;
  };
}

function importing({ reader, path, text, files, how }: LargeFile): (n: number) => unknown {
  const format = readerOf(reader);
  const made = makerOf((n) => ({
    bytes: Buffer.from(text(n)),
    files: new Map(Object.entries(files?.(n) ?? {}).map(([name, words]) => [name, Buffer.from(words)])),
  }));
  return (n) => {
    const { bytes, files: beside } = made(n);
    const adopted = format?.read({ path, bytes }, { ...how, file: (name) => beside.get(name) });
    if (adopted === undefined) throw new Error(`no reader ${reader}`);
    return printFiles(labelInputs(adopted, { all: 'operator', byName: new Map(), systemToUser: false }));
  };
}

describe('a file of any format costs time in proportion to its size', () => {
  it.each(
    inTurn(
      sampled(
        LARGE_FILES.map((file) => ({ file, title: `${file.reader}: ${file.what}` })),
        12,
      ),
      3,
    ),
  )('$title', ({ file }) => {
    const run = importing(file);
    run(SIZE);
    run(2 * SIZE);
    expect(growth(run, SIZE, MOST)).toBeLessThan(MOST);
  });
});

const user = (parts: readonly ExportPart[]): ExportMessage => ({ role: 'user', parts });
const many = <Value>(n: number, make: (index: number) => Value): readonly Value[] =>
  Array.from({ length: n }, (_, index) => make(index));

/** Prompts that grow. */
const PROMPTS: Readonly<Record<string, (n: number) => readonly ExportMessage[]>> = {
  'a long text': (n) => [user([{ text: 'words { } ⟦ \\ @a $1\n'.repeat(n) }])],
  'many inputs': (n) => [user(many(n, (i) => [{ input: `v${i}` }, { text: ', ' }]).flat())],
  'many messages': (n) =>
    many(2 * n, (i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', parts: [{ text: 'x' }] })),
  'many conditions': (n) => [user([{ template: '{{if present .a}}x{{end}}y'.repeat(n) }])],
  'many loops': (n) => [user(many(n, () => ({ template: '{{range items .a}}{{text .}} {{end}}' })))],
  'conditions between inputs': (n) => [
    user(many(n, (i) => [{ input: `v${i}` }, { template: '{{if present .a}}x{{end}}' }]).flat()),
  ],
};

describe('a prompt costs time in proportion to its size in every format that it is exported to', () => {
  const rows = WRITERS.flatMap((writer) =>
    Object.entries(PROMPTS).map(([what, messages]) => ({ writer, messages, title: `${writer.id}: ${what}` })),
  );
  it.each(inTurn(sampled(rows, 12), 3))('$title', ({ writer, messages }) => {
    const made = makerOf((n) => promptOf(messages(n)));
    const run = (n: number) => writer.write(made(n));
    run(SIZE);
    run(2 * SIZE);
    expect(growth(run, SIZE, MOST)).toBeLessThan(MOST);
  });
});
