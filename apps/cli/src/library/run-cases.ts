import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCENARIO_FOLDER, type Scenario } from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { type Call, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { styleFor } from '../output/style.js';
import { openBenchAt } from '../project/bench.js';
import { requireFile } from '../project/named-file.js';
import { readCases } from '../prompt-test/case-file.js';
import { openDesk } from '../prompt-test/desk.js';
import { textReport } from '../prompt-test/report/text.js';
import type { CaseResult } from '../prompt-test/run-case.js';
import { runCases } from '../prompt-test/run-cases.js';
import { openBook, type SnapshotBook } from '../prompt-test/snapshot/book.js';

/** Runs the cases of a version. A case that fails is a failure of the call. */
export async function requireCases(
  call: Call,
  scenario: Scenario,
  cases: string,
): Promise<{ readonly cases: number }> {
  const { io, flags } = call;
  const results = await caseResults(call, scenario, cases);
  const failed = results.filter((result) => result.failed.length > 0);
  if (failed.length === 0) return { cases: results.length };
  if (!isOn(flags, 'json'))
    await io.out(textReport(failed, { style: styleFor(io, 'out'), isTerminal: io.terminal.out }));
  throw new Failure(
    'E_LIBRARY',
    `${scenario.id}: ${failed.length} of ${results.length} cases fail: ${failed.map(({ test }) => test.name).join(', ')}`,
    { exit: 1 },
  );
}

/** The same for who asks from elsewhere: what is wrong, a line each. */
export async function tryCases(call: Call, scenario: Scenario, cases: string): Promise<readonly string[]> {
  try {
    const failed = (await caseResults(call, scenario, cases)).filter((result) => result.failed.length > 0);
    return failed.map(({ test }) => `the case "${test.name}" fails`);
  } catch (error) {
    if (error instanceof Failure) return [error.message];
    throw error;
  }
}

/**
 * Runs the cases of a version as they were handed in, in a folder of their own that is gone afterwards: neither the
 * project around nor a network has a say.
 */
async function caseResults(call: Call, scenario: Scenario, cases: string): Promise<readonly CaseResult[]> {
  const name = `cuebook-library-${randomUUID()}`;
  const disk = requireFile(await openFolder(tmpdir()), 'The temporary folder');
  const folder = join(tmpdir(), name);
  const files = requireFile(await openFolder(folder, { create: true }), 'The temporary folder');
  try {
    requireFile(await files.writeText('cuebook.yaml', 'roots: {}\n'), 'The temporary folder');
    requireFile(await files.makeDirectory(SCENARIO_FOLDER), 'The temporary folder');
    const { id, version: _, ...fields } = scenario;
    const path = `${SCENARIO_FOLDER}/${id}`;
    // A JSON value is a YAML value.
    requireFile(await files.writeText(`${path}.yaml`, JSON.stringify(fields)), path);
    return await run(call, folder, `${path}.test.yaml`, cases);
  } finally {
    requireFile(await disk.removeTree(name), 'The temporary folder');
  }
}

async function run(call: Call, folder: string, file: string, text: string): Promise<readonly CaseResult[]> {
  const read = readCases(file, text);
  if (!read.ok) {
    const [first] = read.diagnostics;
    throw new Failure('E_LIBRARY', `The cases cannot be read: ${first?.message ?? file}`, { exit: 1 });
  }
  const asks = read.value.find(({ provider }) => provider !== undefined);
  if (asks !== undefined)
    throw new Failure('E_LIBRARY', `The case "${asks.name}" asks a model: write a script in its place`, {
      exit: 1,
    });
  const bench = await openBenchAt(folder, call.io, ['scenario']);
  const book = await openBook(bench.files, file, { update: false });
  const books = new Map('severity' in book ? [] : ([[file, book]] as [string, SnapshotBook][]));
  const { desk, close } = await openDesk(call, bench, books);
  try {
    return await runCases(desk, read.value, { jobs: 4, onDone: () => undefined });
  } finally {
    await close();
  }
}
