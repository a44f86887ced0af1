import { type Child, childEnvironment, describeFailure, hasRun, startChild } from '@cuebook/process';
import type { LiveTurn } from '../stream/live-turn.js';
import { failedEnd } from '../stream/turn-error.js';
import type { Say } from './app-server/peer.js';
import type { CodexEnding } from './driver.js';
import { CODEX_ENVIRONMENT, type CodexOptions } from './settings.js';

/** A Codex of this session, with its own environment and none of another program's keys. */
export function startCodex(options: CodexOptions, cwd: string, args: readonly string[], set = {}): Child {
  const { command = 'codex', args: first = [], environment = process.env, allow = [] } = options;
  const env = childEnvironment(environment, [...CODEX_ENVIRONMENT, ...allow], set);
  return startChild({ command, args: [...first, ...args], cwd, env, needsOutput: true, needsInput: true });
}

/** The way to the child's input: past the choke point, then exactly those bytes. */
export const sayTo =
  (child: Child, turn: LiveTurn): Say =>
  async (line) => {
    await turn.pass('stdin', line);
    return (await child.write(line)).ok;
  };

/** Why a child that was not told to has ended. */
export async function endOfChild(child: Child): Promise<CodexEnding> {
  const { code, signal, failure } = await child.exited;
  if (failure !== undefined) {
    return hasRun(failure)
      ? failedEnd('E_PROVIDER_EXIT', `Codex broke off: ${describeFailure(failure)}.`)
      : failedEnd('E_PROVIDER_START', `Codex did not run: ${describeFailure(failure)}.`);
  }
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  const said = child.stderrTail().trim().split('\n').at(-1) ?? '';
  const message = `Codex ended ${how} before the turn did. ${said}`.trim();
  return failedEnd(/no rollout found/.test(said) ? 'E_PROVIDER_SESSION' : 'E_PROVIDER_EXIT', message);
}

/** A launcher may greet in its own way; what goes on like that is not Codex. */
export const MAX_NOISE = 20;
