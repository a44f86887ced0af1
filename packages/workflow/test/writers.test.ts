import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { itInTurn as it, share } from '../../../test/runs.js';
import { readState } from '../src/index.js';
import { packageTexts, stateText } from './fixture.js';
import { makeFolder, makeRoot } from './scratch.js';

let child: ChildProgram;
beforeAll(async () => {
  child = await buildProgram(new URL('./child/patcher.ts', import.meta.url));
});
afterAll(() => child?.remove());

it('of processes that change one version of a state exactly one wins, each time', async () => {
  const pkg = makeRoot(packageTexts());
  const { folder, files } = await makeFolder({ 'workflow.md': stateText() });
  const rounds = share(15, 300);
  const run = promisify(execFile);
  const said = await Promise.all(
    [1, 2, 3].map(() => run(process.execPath, [child.program, pkg, folder, String(rounds)])),
  );
  const codes = said.map(({ stdout }) => JSON.parse(stdout) as Record<string, number>);
  expect(new Set(codes.flatMap((each) => Object.keys(each)))).toEqual(
    new Set(['ok', 'E_PRECONDITION_FAILED']),
  );
  const won = codes.reduce((sum, { ok = 0 }) => sum + ok, 0);
  const text = await files.readText('workflow.md');
  const state = text.ok ? readState(text.value) : undefined;
  expect(state?.ok && state.value.state.variables.count).toBe(won);
});
