import { TEXTS } from './data.js';
import { type Desk, use } from './desk.js';

/** An action with these words, now and then trimming the text beside it. */
export function action(desk: Desk, words: string): string {
  const { random } = desk;
  const left = random.percent(8);
  const right = random.percent(8);
  if (left) use(desk, 'action trim left');
  if (right) use(desk, 'action trim right');
  const open = left ? random.pick(['{{- ', '{{-\n', '{{-\t']) : random.pick(['{{', '{{', '{{ ']);
  return `${open}${words}${right ? random.pick([' -}}', '\n-}}', '  -}}']) : random.pick(['}}', '}}', ' }}'])}`;
}

/** Text between actions. */
export function text(desk: Desk): string {
  use(desk, 'action text');
  return desk.random.pick(PLAIN);
}

/** A comment. */
export function comment(desk: Desk): string {
  use(desk, 'action comment');
  const words = desk.random.pick([
    '',
    ' c ',
    ' two\nlines ',
    '*',
    ' {{.x}} ',
    ' é ',
    ' "quoted ',
    ...TEXTS.slice(2, 6),
  ]);
  const open = desk.random.percent(20) ? '{{- ' : '{{';
  return `${open}/*${words}*/${desk.random.percent(20) ? ' -}}' : '}}'}`;
}

const PLAIN = [
  ' ',
  '\n',
  'a',
  ' b ',
  'Hello, ',
  '\n\n  ',
  'é日😀',
  '{ { ',
  '}} ',
  '{ ',
  '} }',
  '\t',
  '"quoted"',
  '- item\n',
  'x\r\ny',
  '.',
  '\u00a0',
  '<b>&amp;</b>',
  "it's",
  '%d',
  '/* no */',
];
