import { expect, it } from 'vitest';
import { createReadiness, type ReadinessParts } from './readiness.js';

type Share = NonNullable<ReturnType<ReadinessParts['runs']['share']>>;

const share = (given: Partial<Share>): Share => ({
  ...{ slots: 2, kinds: ['team', 'turn'], labels: ['+gpu', 'm1'], runs: [], queued: async () => [] },
  ...given,
});
const late = (kind: string, label?: string) => async () => [{ kind, label, count: 2, oldestMs: 61_000 }];

function ready(given: {
  readonly layout?: number;
  readonly vault?: string;
  readonly share?: Share;
  readonly away?: boolean;
}) {
  const { layout = 5, vault, away = false } = given;
  return createReadiness({
    store: {
      schemaVersion: 5,
      layout: async () => layout,
      renewLease: async () => false,
      findLease: async () => {
        if (away) throw new Error('away');
        return undefined;
      },
    },
    home: {
      readText: async (path) =>
        vault === undefined
          ? { ok: true, value: 'key' }
          : { ok: false, error: { code: vault as 'E_FILE_DENIED', path } },
    },
    runs: { share: () => given.share },
    stallMs: 60_000,
  });
}

interface Case {
  readonly name: string;
  readonly given: Parameters<typeof ready>[0];
  readonly cause?: string;
  /** What is wrong with the project though this process does its part. */
  readonly trouble?: string;
}

const STALLED = 'E_WORK_STALLED';
const CASES: readonly Case[] = [
  { name: 'one process alone', given: {} },
  { name: 'records that are away', given: { away: true }, cause: 'E_JOURNAL_UNAVAILABLE' },
  { name: 'tables of a newer program', given: { layout: 6 }, cause: 'E_JOURNAL_SCHEMA_NEWER' },
  { name: 'an old copy of the tables', given: { layout: 4 }, cause: 'E_SERVER_LAYOUT' },
  { name: 'a vault that is not made yet', given: { vault: 'E_FILE_NOT_FOUND' } },
  {
    name: 'a vault that this key does not open',
    given: { vault: 'E_FILE_DENIED' },
    cause: 'E_JOURNAL_VAULT',
  },
  { name: 'nothing queued', given: { share: share({}) } },
  {
    name: 'a free slot and work that it leaves',
    given: { share: share({ queued: late('team') }) },
    cause: STALLED,
    trouble: STALLED,
  },
  {
    name: 'work with its label',
    given: { share: share({ queued: late('turn', '+gpu') }) },
    cause: STALLED,
    trouble: STALLED,
  },
  {
    name: 'work with a label that it lacks',
    given: { share: share({ queued: late('turn', '+eu') }) },
    trouble: STALLED,
  },
  {
    name: 'work of a kind that it does not take',
    given: { share: share({ queued: late('thread') }) },
    trouble: STALLED,
  },
  {
    name: 'every slot busy',
    given: { share: share({ slots: 1, runs: ['run_1' as never], queued: late('team') }) },
    trouble: STALLED,
  },
  {
    name: 'a server that takes nothing itself',
    given: { share: share({ slots: 0, queued: late('team') }) },
    trouble: STALLED,
  },
];

it.each(CASES)('$name', async ({ given, cause, trouble }) => {
  const readiness = ready(given);
  expect((await readiness.findCause())?.code).toBe(cause);
  expect((await readiness.findTrouble())?.code).toBe(trouble);
  readiness.drain();
  expect((await readiness.findCause())?.code).toBe('E_SERVER_DRAINING');
  expect(readiness.isDraining()).toBe(true);
});
