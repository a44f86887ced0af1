import { expect, it } from 'vitest';
import { parseTemplate } from '../template.js';
import { printNode } from './print-node.js';
import { walkNodes } from './walk.js';

const nodesOf = (text: string) => {
  const parsed = parseTemplate({ name: 't', text });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
};

it('visits all nodes in the order of the text', () => {
  const { nodes } = nodesOf(
    'a{{if eq .x 1}}{{$y := (len .z).w}}{{else}}{{range $i, $e := $.l}}{{break}}{{end}}{{end}}',
  );
  const seen: string[] = [];
  walkNodes(nodes, (node) => seen.push(node.kind));
  expect(seen).toEqual([
    ...['text', 'if', 'pipe', 'command', 'identifier', 'field', 'number'],
    ...['action', 'pipe', 'variable', 'command', 'chain', 'pipe', 'command', 'identifier', 'field'],
    ...['range', 'pipe', 'variable', 'variable', 'command', 'variable', 'break'],
  ]);
});

it('gives the place of every call in bytes', () => {
  const { nodes } = nodesOf('é{{print "a"}} {{ if true }}{{print "b"}}{{ end }}');
  const found: [number, string][] = [];
  walkNodes(nodes, (node) => {
    if (node.kind === 'command' && node.args[0]?.kind === 'identifier')
      found.push([node.pos, printNode(node)]);
  });
  expect(found).toEqual([
    [4, 'print "a"'],
    [31, 'print "b"'],
  ]);
});

it('definitions and blocks have trees of their own', () => {
  const { nodes, templates } = nodesOf('{{define "D"}}d{{end}}{{block "B" .}}b{{end}}');
  expect(nodes.map(({ kind }) => kind)).toEqual(['template']);
  expect([...templates.keys()]).toEqual(['D', 'B', 't']);
});

it.each([
  '{{$x := .a.b | printf "%d" 1}}',
  '{{if (eq .a (len "x")).b}}t{{else}}{{with $.x}}{{.}}{{end}}{{end}}',
  '{{range $i, $e := .}}{{continue}}{{end}}{{template "T" nil}}',
])('prints a tree as its text: %s', (text) => {
  expect(nodesOf(text).nodes.map(printNode).join('')).toBe(text);
});
