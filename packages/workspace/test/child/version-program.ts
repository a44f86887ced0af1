import { createVersions, type VersionOptions } from '../../src/version/versions.js';

/** What a child does: it finds a version, and is killed at a moment of it. */
export interface VersionTask {
  readonly options: Omit<VersionOptions, 'fault'>;
  readonly commit: string;
  readonly kill: string;
}

const { options, commit, kill } = JSON.parse(process.argv[2] ?? '{}') as VersionTask;
const versions = createVersions({
  ...options,
  fault: (point) => {
    if (point === kill) process.kill(process.pid, 'SIGKILL');
  },
});
await versions.find({ commit });
