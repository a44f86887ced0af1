import { answeredLine } from '../comparison/models.js';
import { counted, shown, shownInterval, signed } from '../comparison/view.js';
import type { ClusteredRate } from '../statistics/rate.js';
import type { InjectionDocument, InjectionRow } from './document.js';

/** What a suite found, as a terminal shows it: utility and attack success always side by side. */
export function injectionText(document: InjectionDocument, next?: string): string {
  const { suite, design, all, kinds, targets, categories, places, told, held, missing, models, costUsd } =
    document;
  const rows = [all, ...kinds, ...targets, ...categories, ...places];
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = [
    `${suite}: ${counted(design.cases, 'attack')} on ${counted(design.tasks, 'user task')}, ${counted(design.takes, 'take')}`,
    lineOf('', ['utility', 'under attack', 'attack success'], width),
    ...rows.map((row) => rowLine(row, width)),
    `${differenceLine(all)}`,
    `the model was told the attack in ${told.yes} of ${told.of} takes`,
    ...(held === 0 ? [] : [`held until a person allows it: ${counted(held, 'attack')} that succeeded`]),
    ...(missing.takes === 0
      ? []
      : [
          `missing ${missing.takes} of ${missing.of} takes: ${Object.entries(missing.reasons)
            .map(([reason, count]) => `${reason} ${count}`)
            .join(', ')}`,
        ]),
    ...answeredLine(models),
    ...(costUsd === null ? [] : [`cost ${costUsd.toFixed(4)} USD`]),
    ...(next === undefined ? [] : [next]),
  ];
  return `${lines.join('\n')}\n`;
}

const rowLine = ({ name, utility, attack }: InjectionRow, width: number): string =>
  lineOf(name, [utility.plain, utility.attacked, attack].map(rateText), width);

const lineOf = (name: string, cells: readonly string[], width: number): string =>
  [name.padEnd(width), ...cells.map((cell) => cell.padEnd(CELL))].join('  ').trimEnd();

const CELL = 19;

function rateText(rate: ClusteredRate | null): string {
  if (rate === null) return 'no score';
  return `${shown(rate.rate)} ${rate.interval === null ? '[unknown]' : `[${shown(rate.interval.low)}, ${shown(rate.interval.high)}]`}`;
}

function differenceLine({ utility: { difference } }: InjectionRow): string {
  if (difference === null) return 'what attacks cost in utility is not known';
  const interval = difference.interval === null ? '[unknown]' : shownInterval(difference.interval);
  return `utility under attack minus without: ${signed(difference.mean)} ${interval}`;
}
