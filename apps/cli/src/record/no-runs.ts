import { type Call, isOn } from '../command.js';
import { printJson } from '../output/json.js';

/** What a command about runs answers where nothing is on record. */
export async function noRuns({ flags, io }: Call): Promise<number> {
  if (isOn(flags, 'json')) await printJson(io, { runs: [] });
  else await io.out('No runs are on record here yet.\n');
  return 0;
}
