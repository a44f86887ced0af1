import { duplicateObligations, opposedObligations, placedObligations } from '@cuebook/eval';
import type { TextSource } from '@cuebook/files';
import type { BlockInput, Diagnostic } from '@cuebook/prompt';
import type { SensorFile } from './sensors.js';

/** What the obligations of a prompt say against themselves: said twice, opposed, or noticed by no case. */
export async function obligationWarnings(
  files: TextSource,
): Promise<(target: string, blocks: readonly BlockInput[]) => Promise<readonly Diagnostic[]>> {
  const { known, diagnostics } = await loadSensors(files);
  let untold = diagnostics;
  return async (target, blocks) => {
    const all = placedObligations(blocks);
    const warn = (
      code: string,
      { file, line }: { file: string; line: number },
      message: string,
    ): Diagnostic => ({
      ...{ code, severity: 'warning', message, file, line },
    });
    const at = ({ file, line }: { file: string; line: number }): string => `${file}:${line}`;
    const sensors = known.get(target);
    const told = untold;
    untold = [];
    return [
      ...told,
      ...duplicateObligations(all).map(({ one, other }) =>
        warn('W_DUPLICATE_OBLIGATION', other, `"${short(other.text)}" stands at ${at(one)}, too`),
      ),
      ...opposedObligations(all).map(({ one, other }) =>
        warn(
          'W_OPPOSED_OBLIGATION',
          other,
          `"${short(other.text)}" stands against "${short(one.text)}" at ${at(one)}`,
        ),
      ),
      ...all
        .filter(
          ({ text }) => sensors !== undefined && Object.hasOwn(sensors, text) && sensors[text]?.length === 0,
        )
        .map((each) => warn('W_NO_SENSOR', each, `No case notices "${short(each.text)}"`)),
    ];
  };
}

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}...` : text);

type Sensors = SensorFile['obligations'];

/** The sensors that ablations have saved, by target. */
async function loadSensors(
  files: TextSource,
): Promise<{ readonly known: ReadonlyMap<string, Sensors>; readonly diagnostics: readonly Diagnostic[] }> {
  const known = new Map<string, Sensors>();
  const diagnostics: Diagnostic[] = [];
  for await (const found of files.walk('sensors')) {
    if (!found.ok || !found.value.endsWith('.json')) continue;
    const text = await files.readText(found.value);
    const read = text.ok ? readSensors(text.value) : undefined;
    if (read === undefined)
      diagnostics.push({
        ...{ code: 'W_NO_SENSOR', severity: 'warning', file: found.value },
        message: 'It is no file of sensors: write it anew with ablate --save-sensors',
      });
    else known.set(read.target, { ...known.get(read.target), ...read.obligations });
  }
  return { known, diagnostics };
}

function readSensors(text: string): SensorFile | undefined {
  try {
    const value = JSON.parse(text) as SensorFile | null;
    const isOne =
      value?.sensors === 1 &&
      typeof value.target === 'string' &&
      typeof value.obligations === 'object' &&
      value.obligations !== null &&
      Object.values(value.obligations).every(Array.isArray);
    return isOne ? value : undefined;
  } catch {
    return undefined;
  }
}
