import { describeEngineError, type EngineError } from '@cuebook/engine';
import { type Diagnostic, fail, type Result } from '@cuebook/prompt';
import type { HostError } from './contract.js';

/** A failure as a value. */
export const refuse = (kind: HostError['kind'], code: string, message: string): Result<never, HostError> =>
  fail({ kind, code, message });

/** Problems with what is to be run: the first speaks for all. */
export function diagnosed(diagnostics: readonly Diagnostic[]): Result<never, HostError> {
  const first = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
  const { code = 'E_RUN_TARGET', message = 'The target cannot be run', file, line } = first ?? {};
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
  return fail({ kind: 'invalid', code, message: `${place}${message}`, diagnostics });
}

/** What an engine says no to, in the words of a host. */
export const engineError = (error: EngineError): HostError => ({
  ...describeEngineError(error),
  kind: kindOf(error),
});

/** The same for a refusal of which only code and message are known. */
export const refusalError = ({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): HostError => ({
  code,
  message,
  kind: REFUSALS[code] ?? 'invalid',
});

function kindOf(error: EngineError): HostError['kind'] {
  switch (error.type) {
    case 'refused':
      return REFUSALS[error.code] ?? 'invalid';
    case 'command':
    case 'decision':
      return 'invalid';
    case 'conflict':
    case 'not-asked':
      return 'conflict';
    case 'closed':
      return 'notFound';
    default:
      return 'unavailable';
  }
}

/** Refusals that are about how a run stands, and not about what was said. */
const REFUSALS: Readonly<Record<string, HostError['kind']>> = {
  E_APPROVAL_UNKNOWN: 'notFound',
  E_APPROVAL_RESOLVED: 'conflict',
  E_TEAM_NODE: 'notFound',
  E_RUN_NOT_STARTED: 'notFound',
  E_AGENT_NOT_STARTED: 'notFound',
  E_THREAD_NOT_STARTED: 'notFound',
  E_RUN_STARTED: 'conflict',
  E_RUN_OVER: 'conflict',
  E_RUN_UNCHECKED: 'conflict',
  E_UPDATE_GONE: 'conflict',
  E_UPDATE_SAME: 'conflict',
  E_ARTIFACT_UNKNOWN: 'notFound',
  E_RUN_NOT_PAUSED: 'conflict',
  E_NODE_IDLE: 'conflict',
  E_NODE_BUSY: 'conflict',
  E_BUDGET_EXHAUSTED: 'conflict',
  E_COMMAND_CONFLICT: 'conflict',
  E_JOURNAL: 'unavailable',
  E_ENGINE_STOPPED: 'unavailable',
  E_RUN_BUSY: 'unavailable',
};
