import type { AblationDocument } from '@cuebook/eval';

/** Which obligations of a target some case notices: `sensors/NAME.json`, written by `ablate`, read by `check`. */
export interface SensorFile {
  readonly sensors: 1;
  readonly target: string;
  readonly run: string;
  /** By the sentence, its cases. */
  readonly obligations: Readonly<Record<string, readonly string[]>>;
}

/** The sensors that an ablation found. A unit that helps on average has all cases as its sensor. */
export function sensorsOf({ target, id, units, design }: AblationDocument): SensorFile {
  return {
    sensors: 1,
    target,
    run: id,
    obligations: Object.fromEntries(
      design.kind !== 'obligation'
        ? []
        : units.map(({ text, verdict, sensors }) => [
            text,
            verdict === 'helps' && sensors.length === 0 ? ['all cases together'] : sensors,
          ]),
    ),
  };
}
