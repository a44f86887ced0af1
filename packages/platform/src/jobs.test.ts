import { expect, test } from 'vitest';
import { must } from '../../bundle/test/scratch.js';
import { newParts } from '../test/parts.js';
import { readAudit } from './audit.js';
import { listJobs, setJob } from './jobs.js';

test('a job is off until somebody turns it on, each change is on record, and the same again is none', async () => {
  const parts = await newParts();
  expect(await listJobs(parts)).toEqual([
    { job: 'event', on: false },
    { job: 'groups', on: false },
  ]);
  must(await setJob(parts, { job: 'event', on: false, by: 'pia' }));
  must(await setJob(parts, { job: 'event', on: true, by: 'pia' }));
  must(await setJob(parts, { job: 'event', on: true, by: 'quin' }));
  expect((await listJobs(parts))[0]).toEqual({ job: 'event', on: true, by: 'pia' });
  must(await setJob(parts, { job: 'event', on: false, by: 'quin' }));
  const trail = (await readAudit(parts, {})).map(({ type, data }) => [type, data.on, data.by]);
  expect(trail).toEqual([
    ['job.set', true, 'pia'],
    ['job.set', false, 'quin'],
  ]);
});
