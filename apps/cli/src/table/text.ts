import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';

/** What works on text alone. */
export const TEXT_COMMANDS: readonly Command[] = [
  {
    name: 'template',
    summary: 'Render a Go template',
    details:
      'Templates are those of the Go package text/template, error texts included. {{include "NAME"}} inserts a file given with --include, as plain text. With --jsonl each line {id, tmpl, lookup, ctx or data, missingkey} of standard input is answered by {id, ok, out, err}.',
    args: [
      { name: 'file', description: 'the template, or - for standard input', required: false, values: 'path' },
    ],
    flags: [
      { name: 'data', value: 'FILE', description: 'the data, as JSON or YAML', values: 'path' },
      {
        name: 'include',
        value: 'NAME=FILE',
        description: 'a text that the template may include',
        repeatable: true,
      },
      {
        name: 'missingkey',
        value: 'MODE',
        description: 'what a missing key of a map gives: default, zero or error',
      },
      { name: 'engine', value: 'ENGINE', description: 'code (generated, fast) or closures (no eval)' },
      { name: 'jsonl', description: 'one JSON object per line' },
    ],
    examples: [`echo "Hello, {{.name}}" | ${commandLine`template -`}`],
    load: () => import('../commands/template.js'),
  },
  {
    name: 'redact',
    summary: 'Remove private paths, names and credentials from standard input',
    details:
      'Lists on standard error what kinds it removed. Names and folders of this machine are private, unless --context is given: then only that file decides. When something private is left, nothing is printed and the exit code is 1. With --jsonl each line {id, input} is answered by {id, output, refused}; the id is returned unchanged.',
    args: [],
    flags: [
      { name: 'root', value: '@ALIAS=PATH', description: 'a known folder and its alias', repeatable: true },
      { name: 'private', value: 'PATH', description: 'a folder that must not be shown', repeatable: true },
      { name: 'name', value: 'NAME', description: 'a user or host name', repeatable: true },
      { name: 'public', value: 'PATH', description: 'a folder that may be shown', repeatable: true },
      {
        name: 'context',
        value: 'FILE',
        description: 'a JSON file { roots, private, names }',
        values: 'path',
      },
      { name: 'jsonl', description: 'one JSON object per line: {id, input}' },
    ],
    examples: [
      `echo "see /home/sam/notes.txt" | ${commandLine`redact`}`,
      `echo "in /srv/desk/a.md" | ${commandLine`redact --root @desk=/srv/desk`}`,
    ],
    load: () => import('../commands/redact.js'),
  },
];
