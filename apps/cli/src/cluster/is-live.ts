import { type Call, isOn } from '../command.js';

/** `agent/NAME`, as `kubectl` says it. */
export const liveName = (text: string | undefined): string | undefined =>
  /^agents?\/(?<name>[^\s@]+)$/.exec(text ?? '')?.groups?.name;

/** Whether a call means a cluster: by its flag, or by a target `agent/NAME`. */
export const isLive = ({ args, flags }: Pick<Call, 'args' | 'flags'>): boolean =>
  isOn(flags, 'cluster') || liveName(args[0]) !== undefined;
