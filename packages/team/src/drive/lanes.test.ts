import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { openScriptLanes, type ScriptLanes } from './lanes.js';

const SCRIPT = { lanes: { a: [{ text: '0' }, { text: '1' }, { text: '2' }], '*': [{ text: 'any' }] } };

/** The lanes of a run whose turns have said so much. */
function lanesBehind(script: Parameters<typeof openScriptLanes>[0], heard: readonly string[]): ScriptLanes {
  const lanes = openScriptLanes(script);
  lanes.hear(heard);
  return lanes;
}

describe('the steps of a script', () => {
  it('go one to a turn, and the same turn plays the same step again', () => {
    const lanes = lanesBehind(SCRIPT, []);
    expect(lanes.take(['a'], 'one')).toEqual({ lane: 'a' });
    expect(lanes.take(['a'], 'two')).toEqual({ lane: 'a', resume: 'a@0' });
    expect(lanes.take(['a'], 'one')).toEqual({ lane: 'a' });
    expect(lanes.take(['a'], 'three')).toEqual({ lane: 'a', resume: 'a@1' });
  });

  it('an exhausted lane stays where it is; who has no lane has that of everybody, or none', () => {
    const lanes = lanesBehind(SCRIPT, ['a@2']);
    expect(lanes.take(['a'], 'one')).toEqual({ lane: 'a', resume: 'a@2' });
    expect(lanes.take(['a'], 'two')).toEqual({ lane: 'a', resume: 'a@2' });
    expect(lanes.take(['b'], 'three')).toEqual({ lane: '*' });
    expect(lanesBehind({ lanes: { a: [] } }, []).take(['b'], 'four')).toBeUndefined();
  });

  it('a lane with odds has no steps: every turn is in it, and its session says where it is', () => {
    const agent = { agent: { seed: 1, works: 0, attacked: 0, obeys: 0, categories: {}, tasks: 0 } };
    const lanes = lanesBehind({ lanes: {}, models: { '*': agent } }, ['*@1.0']);
    expect(lanes.take(['a'], 'one')).toEqual({ lane: '*', isModel: true });
    expect(lanes.take(['a'], 'two')).toEqual({ lane: '*', isModel: true });
  });

  it('a turn of another process moves a lane on, and never back', () => {
    const lanes = lanesBehind(SCRIPT, []);
    lanes.take(['a'], 'one');
    lanes.hear(['a@0', 'a@1', 'nobody@7', 'a@x']);
    expect(lanes.take(['a'], 'three')).toEqual({ lane: 'a', resume: 'a@1' });
    lanes.hear(['a@0']);
    expect(lanes.take(['a'], 'four')).toEqual({ lane: 'a', resume: 'a@2' });
  });

  it('whatever is killed between them, each turn that has its outcome had a step of its own, in order', () => {
    const lengths = fc.array(fc.boolean(), { maxLength: 12 });
    fc.assert(
      fc.property(lengths, (kills) => {
        const script = {
          lanes: { a: Array.from({ length: kills.length }, (_, text) => ({ text: `${text}` })) },
        };
        const settled: string[] = [];
        let lanes = lanesBehind(script, settled);
        for (const [turn, isKilled] of kills.entries()) {
          const before = lanes.take(['a'], `turn ${turn}`);
          if (isKilled) lanes = lanesBehind(script, settled);
          const place = lanes.take(['a'], `turn ${turn}`);
          expect(place).toEqual(before);
          settled.push(`a@${place?.resume === undefined ? 0 : Number(place.resume.slice(2)) + 1}`);
        }
        expect(settled).toEqual(kills.map((_, turn) => `a@${turn}`));
      }),
      runs(50, 5_000),
    );
  });
});
