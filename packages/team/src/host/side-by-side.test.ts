import type { StoredEvent } from '@cuebook/journal';
import { afterEach, expect, it } from 'vitest';
import { type CliStand, cliStand } from '../../test/cli-stand.js';
import { nodeOf, scriptOf, startRun, until } from '../../test/host-stand.js';
import type { TeamState } from '../run/state.js';

let stand: CliStand;
afterEach(() => stand.remove());

const READS = 'workspace: shared, capabilities: { delegateOnly: true }';
const TEAM = `
goal: Work.
mode: INTERACTIVE
limits: { parallel: 5 }
nodes:
  - { alias: a, role: orchestrator, ${READS} }
  - { alias: b, role: orchestrator, ${READS} }
  - { alias: c, role: orchestrator, ${READS} }
  - { alias: hangs, role: orchestrator, provider: cli, ${READS} }
  - { alias: dies, role: orchestrator, provider: cli, ${READS} }
`;

it('three turns of two seconds take less than 3.5, beside an agent that hangs and one that dies', async () => {
  stand = await cliStand();
  stand.script({ hangs: [[{ deaf: true }]], dies: [[{ stderr: 'boom\n' }, { exit: 1 }]] });
  const host = await stand.open();
  const says = [{ delayMs: 2_000, text: 'done' }];
  const run = await startRun(host, { team: { text: TEAM }, script: scriptOf({ a: says, b: says, c: says }) });
  const state = await until(host, run, (now) =>
    ['a', 'b', 'c'].every((alias) => nodeOf(now, alias).lastTurn > 0 && nodeOf(now, alias).work === null),
  );
  // Six seconds of turns in less than three and a half, on a machine of any speed: each is measured on its own.
  const spans = spansOf(await stand.store.read(run), state);
  expect(spans).toHaveLength(3);
  const whole = Math.max(...spans.map(({ end }) => end)) - Math.min(...spans.map(({ begin }) => begin));
  const sum = spans.reduce((total, { begin, end }) => total + end - begin, 0);
  expect(whole / sum).toBeLessThan(3.5 / 6);
  const now = await until(host, run, (each) => nodeOf(each, 'dies').hold !== null);
  expect(JSON.stringify(nodeOf(now, 'dies').hold)).toContain('boom');
  expect(nodeOf(now, 'hangs').work).not.toBeNull();
});

/** When each turn of the three was begun and settled. */
function spansOf(events: readonly StoredEvent[], state: TeamState) {
  return ['a', 'b', 'c'].flatMap((alias) => {
    const lane = `node/${nodeOf(state, alias).node.id}`;
    const at = (type: string): number | undefined => {
      const effect = events.find(
        (event) => event.type === 'effect.intended' && fieldOf(event, 'lane') === lane,
      );
      const id = effect && fieldOf(effect, 'id');
      return events.find((event) => event.type === type && fieldOf(event, 'id') === id)?.at;
    };
    const [begin, end] = [at('effect.begun'), at('effect.settled')];
    return begin === undefined || end === undefined ? [] : [{ begin, end }];
  });
}

const fieldOf = ({ data }: StoredEvent, name: string): unknown => (data as Record<string, unknown>)[name];
