import type { RunId } from '@cuebook/journal';
import type { Hash } from '@cuebook/prompt';

/** The run of a later step of another: its id follows from that of the first, so that the record alone leads to it. */
export const stepRun = (hash: Hash, run: string, name: string): RunId =>
  `run_${hash(JSON.stringify(['step', run, name])).slice('sha256:'.length, 'sha256:'.length + 24)}` as RunId;
