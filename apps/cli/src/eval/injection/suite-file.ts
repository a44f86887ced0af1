import {
  BUILT_IN_SUITE,
  INJECTION_KINDS,
  type InjectionKind,
  type InjectionSuite,
} from '@cuebook/eval';
import { type Call, type Flags, flagValue, flagValues } from '../../command.js';
import { usage } from '../../failure.js';
import { replaceNamedFile } from '../../record/named-output.js';

/** The suite that `--injection` names: the one that comes with Cuebook, or files. */
export async function readSuite({ flags }: Call): Promise<InjectionSuite> {
  const named = flagValues(flags, 'injection');
  if (named.every((name) => name === 'built-in')) return BUILT_IN_SUITE;
  throw usage('not yet');
}

/** Writes a suite as a file that `--injection` reads. */
export async function saveSuite({ io }: Call, file: string, suite: InjectionSuite): Promise<void> {
  const text = `${JSON.stringify({ injection: 1, ...suite }, null, 2)}\n`;
  await replaceNamedFile(io, file, new TextEncoder().encode(text));
}

/** The kinds of runs that are tried. */
export function throughFlag(flags: Flags): readonly InjectionKind[] | undefined {
  const named = flagValue(flags, 'through');
  if (named === undefined) return undefined;
  const kinds = named.split(',').map((name) => name.trim());
  const stray = kinds.find((kind) => !(INJECTION_KINDS as readonly string[]).includes(kind));
  if (stray !== undefined) throw usage(`--through wants kinds of runs: ${INJECTION_KINDS.join(',')}`);
  return kinds as readonly InjectionKind[];
}
