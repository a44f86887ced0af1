import type { RunId } from '../contract.js';

/** What a project keeps about itself, each in a run of its own. */
export type RegisterName = (typeof REGISTERS)[number];
export const REGISTERS = ['people', 'schedules', 'hooks', 'quotas'] as const;

/** The run that holds a register. */
export const registerRun = (name: RegisterName): RunId => `${PREFIX}${name}` as RunId;

/** One of the runs that hold what is written first under a key. */
export const onceRun = (part: string): RunId => `${PREFIX}once${part}` as RunId;

/**
 * Whether a run holds a register. Such a run is no work: lists leave it out, and it is never removed or taken in from
 * elsewhere.
 */
export const isRegister = (run: string): boolean => run.startsWith(PREFIX);

/** Ids of runs are made of hex digits, so that none of them begins like this. */
const PREFIX = 'run_register';

/** The condition that leaves registers out of a list of runs. */
export const NOT_A_REGISTER = `name NOT LIKE '${PREFIX}%'`;
