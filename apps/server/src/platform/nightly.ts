import { listExperiments, type PlatformParts, settleDays } from '@cuebook/platform';

/** Work that goes on beside the requests until it is stopped. */
export interface Nightly {
  stop(): Promise<void>;
}

/**
 * Settles the days that have ended while experiments run: counts them, and halts what does harm. It looks every hour; a
 * look that fails is made again an hour later, and days that were missed are made up for. Several servers of one platform
 * may do so: a day is counted once.
 */
export function startNightly(
  platform: PlatformParts,
  {
    every = HOUR,
    onSettled = () => undefined,
  }: { readonly every?: number; readonly onSettled?: () => void } = {},
): Nightly {
  let work: Promise<unknown> = Promise.resolve();
  const look = async (): Promise<void> => {
    if ((await listExperiments(platform)).length > 0) await settleDays(platform, 'server');
    onSettled();
  };
  const timer = setInterval(() => {
    // A record that is away now is there again later.
    work = work.then(look).catch(() => undefined);
  }, every);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await work;
    },
  };
}

const HOUR = 60 * 60 * 1000;
