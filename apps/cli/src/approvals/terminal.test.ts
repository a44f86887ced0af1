import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { ask, env, TARGET, waiting } from '../../test/asking.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { missing, terminal } from '../../test/terminal.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

const LIMIT = 120_000;
const STEPS = [ask({ type: 'confirmation', message: 'Shall I go on?' }), { text: 'Thank you.' }];

/** A person at a terminal who is asked, and does not answer. */
async function asked() {
  const script = JSON.stringify({ lanes: { '*': STEPS } });
  const cwd = folderWith({ ...WORKFLOW_TEMPLATE, 'ask.json': script });
  const first = terminal(cwd, `run ${TARGET} --script ask.json`);
  await first.sees(/Yes.*No/);
  const [row] = await waiting(cwd);
  const answer = () => cuebook(['approvals', 'answer', row?.id ?? '', 'yes', '--json'], { cwd, env });
  return { cwd, first, answer };
}

describe.skipIf(missing !== '')(`an answer from another process${missing}`, () => {
  it(
    'is taken while the first one sits at the question, which goes on with it',
    async () => {
      const { first, answer } = await asked();
      const answered = await answer();
      // The other process has the run: it goes on there, and is seen from here.
      await first.sees('Thank you.');
      expect(JSON.parse(answered.stdout)).toMatchObject({
        status: 'waiting',
        for: 'input',
        text: 'Thank you.',
      });
      await first.sees('Your answer');
      first.types('');
      await first.ended;
      expect(first.seen().match(/Thank you\./g)).toHaveLength(1);
    },
    LIMIT,
  );

  it(
    'is taken when the first one was killed, and the run goes on here once',
    async () => {
      const { cwd, first, answer } = await asked();
      process.kill(first.pid(), 'SIGKILL');
      await first.ended;
      const answered = await answer();
      expect([answered.code, JSON.parse(answered.stdout)]).toMatchObject([
        1,
        { status: 'waiting', for: 'input', text: 'Thank you.', turns: 2 },
      ]);
      expect(await waiting(cwd)).toMatchObject([{ for: 'input' }]);
      expect((await cuebook(['verify', '--all'], { cwd, env })).code).toBe(0);
    },
    LIMIT,
  );
});
