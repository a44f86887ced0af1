import { Failure, usage } from '../failure.js';
import { type Io, isAtTerminal } from '../io.js';
import { readNamedFile } from '../project/named-file.js';

/** Asks for a passphrase at a terminal; elsewhere it comes from a file, a line for each, or from the environment. */
export async function askPassphrases(
  names: readonly string[],
  file: string | undefined,
  io: Io,
): Promise<readonly string[]> {
  if (file !== undefined) {
    const lines = (await readNamedFile(io.cwd, file)).split(/\r?\n/).filter((line) => line !== '');
    if (lines.length < names.length)
      throw usage(`${file} has ${lines.length} lines; a line is needed for each of: ${names.join(', ')}`);
    return lines.slice(0, names.length);
  }
  const { CUEBOOK_PASSPHRASE: given } = io.env;
  if (names.length === 1 && given) return [given];
  if (!isAtTerminal(io))
    throw usage(
      names.length === 1
        ? 'Without a terminal the passphrase comes from --passphrases FILE or CUEBOOK_PASSPHRASE'
        : `Without a terminal passphrases come from --passphrases FILE, a line for each of: ${names.join(', ')}`,
    );
  const { isCancel, password } = await import('../input/questions.js');
  const answers: string[] = [];
  for (const name of names) {
    const said = await password({ message: `Passphrase of ${name}` });
    if (isCancel(said)) throw new Failure('E_KEY', 'Nothing was done: no passphrase was given', { exit: 1 });
    answers.push(said ?? '');
  }
  return answers;
}
