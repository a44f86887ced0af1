import { gitEnvironment, runGit } from '../git/git.js';

/** Asks git something in one folder. */
export type AskGit = (args: readonly string[]) => Promise<{
  readonly ok: boolean;
  readonly stdout: Buffer;
  /** For telling failures apart; never shown, as it may hold real paths. */
  readonly complaint: string;
}>;

/** Asks git in a folder, and runs no program that its settings name. Never rejects. */
export function askGitIn(folder: string, env: Readonly<Record<string, string>>): AskGit {
  return async (args) => {
    const { code, stdout, complaint } = await runGit({ cwd: folder, env: gitEnvironment(env), args });
    return { ok: code === 0, stdout, complaint };
  };
}
