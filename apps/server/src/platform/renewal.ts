import { type PlatformParts, type RenewalReport, renewPlatform } from '@cuebook/platform';

/** A job that runs until it is stopped. */
export interface RenewalJob {
  /** Ends when what is under way is done. */
  stop(): Promise<void>;
}

export interface RenewalJobOptions {
  readonly log: (line: string) => void;
  /** Between the end of one renewal and the next. */
  readonly everyMs?: number;
}

/**
 * Renews what ends before long, now and again and again: of several servers and commands one does it at a time. What
 * only a person can do is logged when it changes.
 */
export function keepRenewing(
  parts: PlatformParts,
  { log, everyMs = QUARTER_HOUR }: RenewalJobOptions,
): RenewalJob {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let told = '';
  const tell = (line: string): void => {
    if (line !== '' && line !== told) log(line);
    told = line;
  };
  const round = async (): Promise<void> => {
    try {
      const done = await renewPlatform(parts, 'server');
      if (done.ok) tell(waiting(done.value));
      else if (!isBusy(done.error))
        tell(`The platform was not renewed: ${done.error.code}. It is tried again.`);
    } catch (error) {
      tell(
        `The platform was not renewed: ${error instanceof Error ? error.name : 'unknown'}. It is tried again.`,
      );
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      running = round();
    }, everyMs);
    timer.unref();
  };
  let running = round();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

const isBusy = (error: { readonly code: string; readonly reason?: unknown }): boolean =>
  error.code === 'E_PUBLISH' && error.reason === 'busy';

const waiting = ({ left }: RenewalReport): string =>
  left.length === 0
    ? ''
    : `Agents of the platform wait for a person: ${left
        .slice(0, 10)
        .map(({ agent, reason }) => `${agent} (${reason})`)
        .join(', ')}${left.length > 10 ? ` and ${left.length - 10} more` : ''}.`;

const QUARTER_HOUR = 15 * 60_000;
