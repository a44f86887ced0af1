import { memorySource } from '@cuebook/files';
import { expect, test } from 'vitest';
import { loadConfig } from './config.js';

const load = (text?: string) => {
  const project = memorySource(text === undefined ? {} : { 'cuebook.yaml': text });
  if (!project.ok) throw new Error(project.error.code);
  return loadConfig(project.value);
};

test.each([undefined, '', '# nothing\n', '{}'])('%j configures nothing', async (text) => {
  expect(await load(text)).toMatchObject({
    ok: true,
    value: { roots: {}, private: [], names: [], public: [] },
  });
});

test('what is private is read', async () => {
  const text = 'roots: { "@data": /srv/data }\nprivate: [/srv]\nnames: [ada]\npublic: [/home/sandbox]\n';
  expect(await load(text)).toMatchObject({
    ok: true,
    value: { roots: { '@data': '/srv/data' }, private: ['/srv'], names: ['ada'], public: ['/home/sandbox'] },
  });
});

test.each([
  ['privat: []', /Did you mean "private"/],
  ['roots: { data: /srv }', /@name/],
  ['names: ada', /names/],
  ['- x', /document/],
  ['a: [', /./],
])('%j is refused with its place', async (text, message) => {
  const loaded = await load(text);
  expect(loaded).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E_CONFIG', file: 'cuebook.yaml', line: 1 }],
  });
  expect(loaded.diagnostics[0]?.message).toMatch(message);
});
