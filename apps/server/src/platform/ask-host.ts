import { type Host, runOf } from '@cuebook/host';
import { fail, ok } from '@cuebook/prompt';
import type { AskScenario, ClerkError } from './clerk.js';

/**
 * Asks through the runs of the server: on record like every run, in whichever process it ends. Where no provider is
 * named nobody is asked: the words of a rehearsal that nobody wanted are not kept.
 */
export const askHost =
  (runs: Host, isSpokenFor: boolean): AskScenario =>
  async ({ id, by, scenario, values, provider, model, signal = new AbortController().signal }) => {
    if (!isSpokenFor && provider === undefined) return refuse('E_PLATFORM_ASK', 'no-provider');
    const run = runOf(id);
    if (!(await runs.report(run)).ok) {
      const begun = await runs.begin({
        ...{ id, by, target: `scenario:${scenario.id}#${scenario.version}`, options: { set: values } },
        ...(provider === undefined ? {} : { provider }),
        ...(model === undefined ? {} : { model }),
      });
      // Somebody else who asked for the same was first: that run is followed.
      if (!begun.ok && begun.error.code !== 'E_COMMAND_CONFLICT')
        return refuse(begun.error.code, 'not-begun');
    }
    const seen = new AbortController();
    const until = AbortSignal.any([signal, seen.signal]);
    try {
      for (let after = 0; ; ) {
        const report = await runs.report(run);
        if (!report.ok) return refuse(report.error.code, 'gone');
        const { status, text, error, seq } = report.value;
        if (status === 'done') return ok(text);
        if (status !== 'running' && status !== 'new') return refuse(error?.code ?? 'E_PLATFORM_ASK', status);
        after = Math.max(after, seq);
        if ((await runs.events(run, { after, signal: until })[Symbol.asyncIterator]().next()).done === true)
          return refuse('E_PLATFORM_ASK', 'under-way');
      }
    } finally {
      seen.abort();
    }
  };

const refuse = (code: string, reason: string) => fail<ClerkError>({ code, reason });
