import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handClock } from '../../test/hand-clock.js';
import { configMap } from '../../test/objects.js';
import type { KubeClient } from '../client/client.js';
import type { KubeObject } from '../object.js';
import { createEventRecorder, type ObjectEvent } from './recorder.js';

const failed: ObjectEvent = { type: 'Warning', reason: 'ReconcileFailed', message: 'm' };
const object = (name: string): KubeObject => {
  const made = configMap(name, {});
  return { ...made, metadata: { ...made.metadata, uid: `uid-${name}` } };
};

function stand(answer: 'ok' | 'refused' = 'ok') {
  const clock = handClock();
  const written: KubeObject[] = [];
  const dropped: string[] = [];
  const client = {
    apply: async (_: unknown, event: KubeObject) => {
      if (answer === 'refused')
        return { ok: false, error: { status: 403, reason: 'Forbidden', message: 'forbidden' } };
      written.push(event);
      return { ok: true, value: event };
    },
  } as unknown as KubeClient;
  const recorder = createEventRecorder({
    ...{ client, clock, component: 'cuebook', instance: 'one' },
    onDropped: (why) => dropped.push(why),
  });
  return { clock, written, dropped, recorder };
}

describe('events', () => {
  it('that repeat are counted under one name, and are told anew after a while', async () => {
    const { clock, written, recorder } = stand();
    for (let n = 0; n < 3; n += 1) recorder.record(object('a'), failed);
    clock.forward(11 * 60_000);
    recorder.record(object('a'), failed);
    await recorder.settled();
    expect(written.map(({ count }) => count)).toEqual([1, 2, 3, 1]);
    expect(new Set(written.map(({ metadata }) => metadata.name)).size).toBe(2);
    expect(written[0]).toMatchObject({
      involvedObject: { kind: 'ConfigMap', name: 'a', namespace: 'default', uid: 'uid-a' },
      metadata: { namespace: 'default' },
      ...{ type: 'Warning', reason: 'ReconcileFailed', source: { component: 'cuebook', host: 'one' } },
    });
  });

  it('of one object never exceed its share, whatever it tells and when, and leave that of others alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(120_000), { maxLength: 80 }), async (pauses) => {
        const { clock, written, recorder } = stand();
        let passed = 0;
        for (const [n, ms] of pauses.entries()) {
          recorder.record(object('loud'), { ...failed, message: `m${n}` });
          clock.forward(ms);
          passed += ms;
        }
        recorder.record(object('quiet'), failed);
        await recorder.settled();
        const loud = written.filter(({ message }) => message !== 'm').length;
        expect(loud).toBeLessThanOrEqual(25 + Math.floor(passed / 300_000));
        expect(written.at(-1)).toMatchObject({ involvedObject: { name: 'quiet' } });
      }),
      { numRuns: 50 },
    );
  });

  it('that cannot be written are passed over, and their words are bounded', async () => {
    const { dropped, recorder } = stand('refused');
    recorder.record(object('a'), failed);
    await recorder.settled();
    expect(dropped).toEqual(['forbidden']);
    const { written, recorder: other } = stand();
    other.record(object('x'.repeat(253)), { ...failed, message: 'w'.repeat(5_000) });
    await other.settled();
    expect(String(written[0]?.message)).toHaveLength(1_000);
    expect(written[0]?.metadata.name.length).toBeLessThanOrEqual(253);
  });
});
