import { guard } from '@cuebook/guard';
import type { Access, SessionOptions } from '../turn.js';

export interface GeminiOptions {
  /** The program; `gemini` on the PATH when left out. */
  readonly command?: string;
  /** Arguments before our own, for a program that needs some. */
  readonly args?: readonly string[];
  /** The environment to pick from; the process's own when left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** More names that the child may see. */
  readonly allow?: readonly string[];
  /**
   * Whether Gemini CLI is told to trust the folder, and with it the settings that stand there, which may name
   * programs to run. Left out: only where the agent may run commands anyway; else what the user has told Gemini
   * CLI counts, and an untrusted folder is `E_PROVIDER_TRUST`.
   */
  readonly trust?: boolean;
}

/** The names of its own login, gateway and folders. */
export const GEMINI_ENVIRONMENT: readonly string[] = ['GEMINI_*', 'GOOGLE_*', 'CODE_ASSIST_*'];

/** Without it Gemini CLI starts itself a second time, and the one that we know does nothing but wait. */
export const GEMINI_SET: Readonly<Record<string, string>> = { GEMINI_CLI_NO_RELAUNCH: 'true' };

/** What Gemini CLI reads by itself and puts beside our words: from its folder, those around it, and the home. */
export const GEMINI_NOT_OURS: readonly string[] = ['GEMINI.md'];

/** What the agent may do by itself, in the words of its command line. */
export const APPROVAL_MODE: Readonly<Record<Access, string>> = {
  plan: 'plan',
  edit: 'auto_edit',
  full: 'yolo',
};

/** The same in the words of the Agent Client Protocol. Who wants to be asked gets the mode that asks. */
export function acpModes(ask: boolean): Readonly<Record<Access, string>> {
  return ask ? { plan: 'plan', edit: 'default', full: 'default' } : ACP_MODE;
}

const ACP_MODE: Readonly<Record<Access, string>> = { plan: 'plan', edit: 'autoEdit', full: 'yolo' };

/** The flag that trusts the folder, where it is to be trusted. */
export function trustArguments(
  { trust }: Pick<GeminiOptions, 'trust'>,
  { access = 'plan' }: Pick<SessionOptions, 'access'>,
): readonly string[] {
  return guard('gemini.trust', !(trust ?? access === 'full')) ? [] : ['--skip-trust'];
}
