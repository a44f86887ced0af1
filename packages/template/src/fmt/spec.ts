import { runeCount } from './bytes.js';

/** How one verb is printed: its flags, width and precision. */
export interface Spec {
  readonly plus: boolean;
  readonly minus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  /** `%+v`: names of fields. */
  readonly plusV: boolean;
  /** `%#v`: Go's syntax. */
  readonly sharpV: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

/** No flags, no width, no precision: what `%v` alone has. */
export const PLAIN: Spec = {
  plus: false,
  minus: false,
  sharp: false,
  space: false,
  zero: false,
  plusV: false,
  sharpV: false,
  width: undefined,
  precision: undefined,
};

/** The text in the width of the verb, counted in runes. Zeros pad on the left, even words, as in Go. */
export function pad(text: string, spec: Spec): string {
  if (spec.width === undefined) return text;
  return beside(text, padding(spec.width - runeCount(text), spec), spec);
}

/** As `pad`, but with spaces always: numbers place their own zeros. */
export function padWithSpaces(text: string, spec: Spec): string {
  if (spec.width === undefined) return text;
  return beside(text, spaces(spec.width - runeCount(text)), spec);
}

/** `count` bytes of padding. */
export function padding(count: number, spec: Spec): string {
  if (count <= 0) return '';
  return spec.zero && !spec.minus ? '0'.repeat(count) : ' '.repeat(count);
}

const spaces = (count: number): string => (count > 0 ? ' '.repeat(count) : '');

const beside = (text: string, gap: string, spec: Spec): string => (spec.minus ? text + gap : gap + text);
