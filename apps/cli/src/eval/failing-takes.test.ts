import type { ComparisonDocument, EvalDocument } from '@cuebook/eval';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  type ModelServer,
  type ScriptedStep,
  type Step,
  startModelServer,
} from '../../../../test/model-server/index.js';
import { itInTurn as it, runs } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { sheetProject } from '../../test/sheet-project.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const CASES = 6;
const FILES = {
  ...sheetProject({
    sheet: 'review',
    input: 'change',
    tone: 'You review changes.\nName the file and the line.\n',
    cases: CASES,
    measured: 'metrics: { finds: { answer: { matches: "^src/" } } }\n',
  }),
};

/** Every way in which an answer can fail to come. */
const FAILURES: Readonly<Record<string, Step>> = {
  'a request that is refused': { error: { status: 400 } },
  'a key that is none': { error: { status: 401 } },
  'a model that is not there': { error: { status: 404 } },
  'a connection that is cut in the middle': { text: 'src/', drop: true },
  'an error in the stream': { text: 'src/', streamError: { message: 'overloaded' } },
  'a body that is no answer': { raw: '<html>Bad gateway</html>' },
};

let lanes = 0;
/** Runs the command against a server that fails for these cases. */
async function told(failing: ReadonlySet<number>, failure: Step, args: readonly string[]) {
  lanes += 1;
  const lane = `failing-${lanes}`;
  const step: ScriptedStep = ({ text }) =>
    failing.has(Number(/change (\d)\./u.exec(text)?.[1])) ? failure : { text: 'src/a.ts:1: fixed' };
  server.script(lane, Array<ScriptedStep>(200).fill(step));
  const env = { CUEBOOK_COMPATIBLE_URL: `${server.laneUrl(lane)}/v1`, CUEBOOK_COMPATIBLE_KEY: 'k' };
  return cuebook([...args, '--provider', 'compatible', '--model', 'm'], { cwd: folderWith(FILES), env });
}

const subset = fc.uniqueArray(fc.nat(CASES - 1), { maxLength: CASES }).map((all) => new Set(all));

describe('a take that failed', () => {
  it.each(Object.entries(FAILURES))('is told, counted, and no silent success: %s', async (_, failure) => {
    await fc.assert(
      fc.asyncProperty(subset, async (failing) => {
        const scored = await told(failing, failure, ['eval', '--json']);
        const [finds] = (JSON.parse(scored.stdout) as EvalDocument).metrics;
        const reasons = Object.values(finds?.reasons ?? {}).reduce((sum, count) => sum + count, 0);
        expect([finds?.missing, reasons]).toEqual([failing.size, failing.size]);
        // What came is scored as it is: what did not come is no zero.
        expect(finds?.mean).toBe(failing.size === CASES ? null : 1);
        expect(scored.code).toBe(failing.size === 0 ? 0 : 1);
        const shown = await told(failing, failure, ['eval']);
        expect(shown.stdout.includes(`missing ${failing.size}`)).toBe(failing.size > 0);
      }),
      runs(20, 60),
    );
  });

  it('keeps a comparison open where it is many or one-sided, and a strict one from passing at all', async () => {
    const change = ['--change', 'drop:obligation:"Name the file and the line."', '--json'];
    for (const failing of [new Set<number>(), new Set([2])]) {
      const strict = await told(failing, { error: { status: 400 } }, ['compare', ...change, '--strict']);
      const { missing, verdict, why } = JSON.parse(strict.stdout) as ComparisonDocument;
      expect([missing.base, missing.candidate]).toEqual([failing.size, failing.size]);
      expect(strict.code).toBe(failing.size === 0 && verdict !== 'open' ? 0 : 1);
      if (failing.size > 0)
        expect([verdict, why]).toEqual(['open', expect.stringContaining('2 of 12 takes')]);
    }
  });
});
