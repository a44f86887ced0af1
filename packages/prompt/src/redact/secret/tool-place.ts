import type { ValuePlace } from './secret-value.js';

/** A place of a secret: a few letters that are in each, and the place from there on, whose first group is the secret. */
export interface ToolPlace {
  readonly sign: string;
  readonly place: RegExp;
  /** How surely it is one. */
  readonly holds: ValuePlace;
  /** What has to stand before it, where the words alone could be anything. */
  readonly near?: RegExp;
}

/** A word, in quotes or not. */
export const WORD = String.raw`["']?([^\s"']{4,120})`;
export const END = String.raw`["']?[ \t]*(?=\r?\n|\\r|\\n|$)`;
export const LINE = String.raw`(?<=(?:^|\n|\\n)[ \t]*)`;

export const sure = (sign: string, ...places: readonly string[]): readonly ToolPlace[] =>
  placesOf(sign, 'command', places);
export const likely = (sign: string, ...places: readonly string[]): readonly ToolPlace[] =>
  placesOf(sign, 'data', places);

export const placesOf = (sign: string, holds: ValuePlace, places: readonly string[]): readonly ToolPlace[] =>
  places.map((place) => ({ sign, holds, place: new RegExp(place, 'dy') }));

export const near = (places: readonly ToolPlace[], beside: RegExp): readonly ToolPlace[] =>
  places.map((place) => ({ ...place, near: beside }));

/** A line that says who signs in or where, as a file of settings has it beside the password. */
export const WHO =
  /(?:^|\n)[ \t]*(?:user(?:name)?|login|host(?:name)?|account|server|protocol|auth|from|port|IMAP(?:Account|Store))[ \t]+\S{1,80}[ \t]*(?:\r?\n|$)/i;

/** `name("a", "b", SECRET)`: what a call is given as its argument of this number. */
export function call(sign: string, argument: number): readonly ToolPlace[] {
  const name = sign.replaceAll(/[()>[]/g, String.raw`\$&`);
  return likely(
    sign,
    String.raw`${name}\s{0,8}(?:${ARGUMENT}\s{0,8},\s{0,24}){${argument - 1}}["']([^"'\s]{4,120})["']`,
  );
}
export const ARGUMENT = String.raw`(?:"[^"\n]{0,80}"|'[^'\n]{0,80}'|[^()"',\n]{0,80})`;
