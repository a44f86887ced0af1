// @ts-check
import { existsSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { npmProgram, placesOf, prepareProgram } from '../parts/npm-program.mjs';
import { run } from '../process.mjs';

/**
 * A Node of another version, such as `26` or `20.19.6`, from the cache folder or else from npm. Ends the process with
 * code 3 when it cannot be had.
 *
 * @param {string} version
 * @returns {Promise<string>} the program
 */
export async function findNode(version) {
  if (!/^\d+(\.\d+){0,2}$/.test(version)) {
    console.error(`--node takes a version such as 26 or 20.19.6, not '${version}'.`);
    process.exit(2);
  }
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const wanted = npmProgram('node', name, version, [`${name}/bin/node`, `${name}/bin/node.exe`]);
  const isThere = () => placesOf(wanted).find((place) => existsSync(place));
  const failed = isThere() === undefined ? await prepareProgram(wanted)() : undefined;
  const found = isThere();
  if (found !== undefined) return found;
  console.error(`Node ${version} cannot be had: ${failed ?? 'the package holds no program'}.`);
  process.exit(3);
}

/**
 * The environment in which `node` is that program, for everything that is started by name.
 *
 * @param {string} program
 * @returns {NodeJS.ProcessEnv}
 */
export const environmentOf = (program) => ({
  ...process.env,
  PATH: [dirname(program), process.env.PATH ?? ''].join(delimiter),
});

/**
 * Runs this same script again on the Node that `--node VERSION` names, and answers its exit code. Without the option
 * it answers the arguments.
 *
 * @param {readonly string[]} args
 * @returns {Promise<{ args: readonly string[], answer?: number }>}
 */
export async function withNode(args) {
  const at = args.indexOf('--node');
  if (at < 0) return { args };
  const program = await findNode(args[at + 1] ?? '');
  const rest = [...args.slice(0, at), ...args.slice(at + 2)];
  const script = process.argv[1] ?? '';
  return { args: rest, answer: await run(program, [script, ...rest], { env: environmentOf(program) }) };
}
