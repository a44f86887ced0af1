import type { Random } from '../random.js';
import { anyRune } from './value.js';

/** A format of any verbs with any flags, widths, precisions, stars and indexes, and how many operands it wants. */
export function format(random: Random): { readonly text: string; readonly operands: number } {
  let text = '';
  let operands = 0;
  for (let left = random.below(3); left >= 0; left--) {
    if (random.percent(40)) text += random.pick(['', ' ', '|', 'é', '%%', anyRune(random)]);
    const made = directive(random);
    text += made;
    operands += 1 + (made.match(/\*/g)?.length ?? 0);
  }
  if (random.percent(3)) text += random.pick(['%', '%!', '%.', '%-', '%[', '%[1', '%*', '%.*', '%[1]']);
  return { text, operands };
}

function directive(random: Random): string {
  let text = '%';
  while (random.percent(30)) text += random.pick(['+', '-', '#', ' ', '0']);
  text += index(random, 5);
  if (random.percent(30)) text += measure(random);
  if (random.percent(25)) text += `.${index(random, 4)}${random.percent(85) ? measure(random) : ''}`;
  text += index(random, 3);
  return (
    text +
    (random.percent(88) ? random.pick(VERBS) : random.percent(70) ? random.pick(OTHERS) : anyRune(random))
  );
}

const index = (random: Random, percent: number): string => {
  if (!random.percent(percent)) return '';
  return `[${random.pick(['1', '1', '2', '2', '3', '4', '0', '-1', '', 'x', '99999999', '1 '])}]`;
};

const measure = (random: Random): string =>
  random.percent(15)
    ? '*'
    : random.percent(97)
      ? String(random.below(random.pick([3, 8, 30, 90])))
      : '12345678901';

/** Never `p`: it prints an address. */
const VERBS = [...'vvvvdbboOxxXXcqqUeEfFgGsstTw'];
const OTHERS = [...'zyjaZW!?%é日~'];
