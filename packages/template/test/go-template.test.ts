import { describe, expect, it } from 'vitest';
import { newTemplate } from '../src/index.js';

describe('a template and those that share its set', () => {
  it('is made of several files, changed in a copy, and executed by name', () => {
    const base = newTemplate('page')
      .funcs({ up: (text: string) => text.toUpperCase() })
      .option('missingkey=error')
      .parseFiles([
        { path: 'layouts/page', text: 'Hello {{block "who" .}}nobody{{end}}.' },
        { path: 'parts/foot', text: '{{.foot | up}}' },
      ]);
    if (!base.ok) throw new Error(base.error.message);
    const copy = base.value.clone();
    expect(copy.parse('{{define "who"}}{{.name}} {{template "foot" .}}{{end}}').ok).toBe(true);
    const text = (template: typeof copy, data: unknown): string => {
      const result = template.executeTemplate('page', data);
      return result.ok ? result.value.text : result.error.message;
    };
    expect(text(base.value, {})).toBe('Hello nobody.');
    expect(text(copy, { name: 'you', foot: 'bye' })).toBe('Hello you BYE.');
    expect(text(copy, { name: 'you' })).toBe(
      'template: foot:1:2: executing "foot" at <.foot>: map has no entry for key "foot"',
    );
    expect(copy.templates().map(({ name }) => name)).toEqual(['foot', 'page', 'who']);
    expect(copy.definedTemplates()).toBe('; defined templates are: "foot", "page", "who"');
  });

  it('says of which text each byte is, and goes on saying so when the set changes', () => {
    const template = newTemplate('a');
    template.parse('[{{template "b" .}}]');
    template.new('b').parse('x{{.}}');
    const before = template.execute('é');
    template.new('b').parse('other');
    if (!before.ok) throw new Error(before.error.message);
    expect(before.value.spans).toEqual([
      { kind: 'literal', start: 0, end: 1, template: 'a', from: 0, to: 1 },
      { kind: 'literal', start: 1, end: 2, template: 'b', source: 'b', from: 0, to: 1 },
      { kind: 'value', start: 2, end: 4, template: 'b', source: 'b', from: 1, to: 6, path: '.' },
      { kind: 'literal', start: 4, end: 5, template: 'a', from: 19, to: 20 },
    ]);
    const after = template.execute('é');
    expect(after.ok && after.value.text).toBe('[other]');
  });
});
