import type { WideCase } from './case.js';
import { int, list, map, text } from './value.js';

/** Every short template of a few alphabets: numbers, characters, strings, words of an action, and actions. */
export function smallCases(): readonly WideCase[] {
  const { json, value } = map([
    ['a', int(1)],
    ['b', map([['a', text('x')]])],
    ['xs', list(int(1), int(2))],
  ]);
  const data = { value, json: JSON.stringify(json) };
  const templates = [
    ...sequences(NUMBER, 4).map((number) => `{{${number}}}`),
    ...sequences(ESCAPE, 4).map((inner) => `{{'${inner}'}}`),
    ...sequences(ESCAPE, 3).map((inner) => `{{printf "%q" "${inner}"}}`),
    ...sequences(WORDS, 3, ' ').map((words) => `{{${words}}}`),
    ...sequences(WORDS, 3).map((words) => `{{${words}}}`),
    ...sequences(ACTIONS, 3),
  ];
  return templates.map((tmpl, index) => ({
    id: `small-${index}`,
    tmpl,
    delimiters: ['{{', '}}'],
    missingKey: 'default',
    data,
  }));
}

/** All sequences of one up to `most` items. */
function sequences(items: readonly string[], most: number, separator = ''): readonly string[] {
  let longest: readonly string[] = items;
  const all = [...longest];
  for (let length = 2; length <= most; length++) {
    longest = longest.flatMap((start) => items.map((item) => start + separator + item));
    for (const each of longest) all.push(each);
  }
  return all;
}

const NUMBER = ['0', '1', '8', 'x', 'e', 'p', 'b', 'o', '_', '.', '+', '-', 'i'];
const ESCAPE = ['\\', 'x', 'u', 'n', '0', '4', '7', '8', "'", '"', 'é', '\udcff'];
const WORDS = [
  '.', '.a', '.b', '$', '$x', ':=', '=', '|', '(', ')', ',', '1', '"a"', '`a`', 'nil', 'true', 'print', 'len', 'and', 'if', 'else', 'end',
  'range', 'with', 'break', 'template', 'define', '-', '/*', '*/', '\n',
]; // biome-ignore format: a table
const ACTIONS = [
  '{{if 1}}', '{{if .nope}}', '{{else}}', '{{else if 0}}', '{{end}}', '{{range .xs}}', '{{range $x := .xs}}', '{{range .nope}}', '{{with .b}}',
  '{{else with 0}}', '{{break}}', '{{continue}}', '{{define "a"}}', '{{block "b" .}}', '{{template "a"}}', '{{template "b" .a}}', 'x', ' ',
  '{{$x := 1}}', '{{$x}}', '{{$x = 2}}', '{{- .a -}}', '{{/* c */}}', '{{- /* c */ -}}', '{{.}}', '{{.a.c}}', '\n',
]; // biome-ignore format: a table
