import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, share } from '../../../../../test/runs.js';
import { AGENT_BEGINS, agentChances, playAgent, printPlace, readPlace } from './agent.js';
import { type AgentModel, modelLane } from './schema.js';

const model = (more: object = {}, take: object = {}): AgentModel =>
  (
    modelLane.parse({
      agent: {
        ...{ seed: 7, works: 1, obeys: -1, ...more },
        take: {
          ...{ task: 't1', case: 'c1', number: 1 },
          work: [{ toolCalls: [{ name: 'read' }] }, { text: 'done' }],
          fails: [{ text: 'failed' }],
          attack: { category: 'encoded', heard: 'tag', steps: [{ toolCalls: [{ name: 'steal' }] }] },
          ...take,
        },
      },
    }) as { agent: AgentModel }
  ).agent;

/** All that an agent does in so many turns, when it is told these words from the second on. */
function played(of: AgentModel, told: string, turns = 4): readonly string[] {
  let place = AGENT_BEGINS;
  return Array.from({ length: turns }, (_, at) => {
    const next = playAgent(of, at === 0 ? '' : told, place);
    place = next.place;
    return next.step.toolCalls?.[0]?.name ?? next.step.text ?? '';
  });
}

describe('an agent by odds', () => {
  it('works, obeys once what it was told, and goes on with its work; what it was not told it cannot obey', () => {
    const eager = model({ works: 40, obeys: 40 });
    expect(played(eager, 'a tag in a mail')).toEqual(['read', 'steal', 'done', 'done']);
    expect(played(eager, 'a mail')).toEqual(['read', 'done', 'done', 'done']);
    expect(played(model({ works: 40, obeys: -40 }), 'tag')).toEqual(['read', 'done', 'done', 'done']);
    expect(played(model({ works: -40, obeys: -40 }), 'tag', 2)).toEqual(['failed', 'failed']);
    expect(playAgent({ ...eager, take: undefined }, 'tag', AGENT_BEGINS).step.text).toContain('no take');
  });

  it('does each as often as its odds say', () => {
    const count = share(1200, 8_000);
    let [obeyed, works, truth] = [0, 0, { works: 0, obeys: 0 }];
    const one = model({ tasks: 1, attacked: -0.5, categories: { encoded: 0.7 } });
    for (let at = 0; at < count; at += 1) {
      const of = { ...one, take: { ...one.take, task: `t${at % 50}`, case: `c${at}` } } as AgentModel;
      const did = played(of, 'tag', 3);
      obeyed += Number(did.includes('steal'));
      works += Number(did.includes('done'));
      const chances = agentChances(of);
      truth = { works: truth.works + chances.works, obeys: truth.obeys + chances.obeys };
    }
    expect(Math.abs(obeyed - truth.obeys) / count).toBeLessThan(share(0.06, 0.03));
    expect(Math.abs(works - truth.works) / count).toBeLessThan(share(0.06, 0.03));
    expect(agentChances(model({}, { attack: undefined })).obeys).toBe(0);
  });

  it('a later process goes on where the session says, and with no other', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.nat(1e8),
        fc.nat(1e8),
        fc.string(),
        (lane, work, attack, other) => {
          expect(readPlace(lane, printPlace(lane, { work, attack }))).toEqual({ work, attack });
          const read = readPlace(lane, other);
          if (read !== undefined) expect(other.startsWith(`${lane}@`)).toBe(true);
          expect(readPlace(lane, undefined)).toBeUndefined();
        },
      ),
      runs(200, 2000),
    );
  });
});
