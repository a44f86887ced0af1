import type { RunId } from '../contract.js';

/** What a project keeps about itself, each in a run of its own. */
export type RegisterName = (typeof REGISTERS)[number];
export const REGISTERS = ['people', 'schedules', 'hooks', 'quotas'] as const;

/** Registers that grow with every run: each is a row of volumes, of which only the newest is kept. */
export type RollingName = (typeof ROLLING)[number];
const ROLLING = ['quotas'] as const satisfies readonly RegisterName[];

/** The run that holds a register, or the first volume of one that rolls. */
export const registerRun = (name: RegisterName): RunId => `${PREFIX}${name}` as RunId;

/** A volume of a register that rolls. Volumes are counted from 1. */
export interface Volume {
  readonly name: RollingName;
  readonly number: number;
}

/** What a volume is called where its register is named. The first one has the name of the register. */
export const volumeName = ({ name, number }: Volume): string => (number === 1 ? name : `${name}${number}`);

/** The run that holds a volume. */
export const volumeRun = (volume: Volume): RunId => `${PREFIX}${volumeName(volume)}` as RunId;

/** The volume that a run holds; undefined: it holds none. */
export function findVolume(run: string): Volume | undefined {
  const name = ROLLING.find((each) => run.startsWith(`${PREFIX}${each}`));
  const digits = name && run.slice(PREFIX.length + name.length);
  if (name === undefined || digits === undefined) return undefined;
  if (digits === '') return { name, number: 1 };
  return /^(?:[2-9]|[1-9]\d{1,8})$/.test(digits) ? { name, number: Number(digits) } : undefined;
}

/** One of the runs that hold what is written first under a key. */
export const onceRun = (part: string): RunId => `${PREFIX}once${part}` as RunId;

/**
 * Whether a run holds a register. Such a run is no work: lists leave it out, it is never taken in from elsewhere, and
 * only a volume that another one follows is ever removed.
 */
export const isRegister = (run: string): boolean => run.startsWith(PREFIX);

/** Ids of runs are made of hex digits, so that none of them begins like this. */
const PREFIX = 'run_register';

/** The condition that leaves registers out of a list of runs. */
export const NOT_A_REGISTER = `name NOT LIKE '${PREFIX}%'`;
