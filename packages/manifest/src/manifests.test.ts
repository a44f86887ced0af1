import { describe, expect, test } from 'vitest';
import { decodeBase64, decodeText } from './base64.js';
import { parseManifests } from './read.js';

const read = (text: string) => parseManifests([['m.yaml', text]]);
const problems = (text: string) =>
  read(text).problems.map(({ diagnostic: { code, severity, line, column, message } }) => ({
    code,
    severity,
    at: `${line}:${column}`,
    message,
  }));

const AGENT = (name: string, version = 'kagent.dev/v1alpha2'): string =>
  `apiVersion: ${version}\nkind: Agent\nmetadata: { name: ${name} }\nspec: { declarative: { systemMessage: hi } }\n`;
const MAP = (data: string, meta = 'name: m'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { ${meta} }\ndata: ${data}\n`;
const SECRET = (rest: string): string => `apiVersion: v1\nkind: Secret\nmetadata: { name: s }\n${rest}\n`;

describe('documents', () => {
  test('Agents of both groups, ConfigMaps and Secrets are read, other kinds passed over', () => {
    const all = [
      AGENT('a'),
      AGENT('b', 'cuebook.dev/v1alpha1'),
      MAP('{ k: v }'),
      SECRET('stringData: { k: v }'),
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: d }\n',
      'apiVersion: agent.k8s.elastic.co/v1alpha1\nkind: Agent\nmetadata: { name: e }\n',
    ].join('---\n');
    const { agents, texts, problems: found } = read(all);
    expect([...agents.keys()]).toEqual(['default/a', 'default/b']);
    expect(texts.find('ConfigMap', 'default', 'm')?.fragments.get('k')?.text).toBe('v');
    expect(texts.find('Secret', 'default', 's')?.fragments.get('k')?.text).toBe('v');
    expect(found).toEqual([]);
  });

  test('lists are unwrapped, also one in another and one whose items do not say what they are', () => {
    const item = '{ metadata: { name: m }, data: { k: v } }';
    const list = `apiVersion: v1\nkind: List\nitems:\n  - { apiVersion: v1, kind: ConfigMapList, items: [${item}] }\n`;
    expect(read(list).texts.find('ConfigMap', 'default', 'm')?.fragments.get('k')).toMatchObject({
      text: 'v',
      place: { ref: 'm.yaml', line: 4 },
    });
  });

  test('JSON is YAML too', () => {
    const json = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'm' },
      data: { k: 'v' },
    });
    expect(read(json).texts.find('ConfigMap', 'default', 'm')?.fragments.get('k')?.text).toBe('v');
  });

  test('an Agent that brings its own container has no system message of ours', () => {
    expect(read(AGENT('a').replace('spec: {', 'spec: { type: BYO,')).agents.size).toBe(0);
  });
});

test.each<[what: string, text: string, code: string, at: string, message: RegExp]>([
  ['YAML that is broken', 'a: [\n', 'E_MANIFEST', '2:1', /./],
  ['a document that is no object', '- a\n- b\n', 'W_MANIFEST_SKIPPED', '1:1', /no apiVersion/],
  ['an old Agent', AGENT('a', 'kagent.dev/v1alpha1'), 'W_MANIFEST_SKIPPED', '1:13', /v1alpha2/],
  ['an object without a name', 'apiVersion: v1\nkind: ConfigMap\n', 'E_MANIFEST', '1:1', /metadata/],
  ['a name that no object can have', MAP('{}', 'name: My_Map'), 'E_MANIFEST', '3:19', /lower-case/],
  ['a name that the cluster reads as true', MAP('{}', 'name: y'), 'E_MANIFEST', '3:19', /boolean/],
  ['a key that no ConfigMap can have', MAP('{ a/b: v }'), 'E_MANIFEST', '4:14', /a key is made of/],
  ['a value that is no text', MAP('{ port: 8080 }'), 'E_MANIFEST', '4:15', /string/],
  ['a ConfigMap told twice', `${MAP('{}')}---\n${MAP('{}')}`, 'E_MANIFEST_TWICE', '8:19', /m\.yaml:3:19/],
  [
    'an Agent told twice',
    `${AGENT('a')}---\n${AGENT('a', 'cuebook.dev/v1alpha1')}`,
    'E_MANIFEST_TWICE',
    '8:19',
    /./,
  ],
  ['a Secret that is not base64', SECRET('data: { k: pass word }'), 'E_MANIFEST', '4:12', /stringData/],
  ['half a character', MAP('{ k: "\\ud800" }'), 'E_MANIFEST', '4:12', /half a character/],
])('%s is reported with its place', (_what, text, code, at, message) => {
  const found = problems(text);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ code, at });
  expect(found[0]?.message).toMatch(message);
});

test('a value that is not base64 is not quoted: it may be the secret', () => {
  expect(JSON.stringify(problems(SECRET('data: { k: hunter2! }')))).not.toContain('hunter2');
});

test('one broken document does not hide the others', () => {
  const { agents, problems: found } = read(`${AGENT('a')}---\nb: [\n---\n${AGENT('c')}`);
  expect([...agents.keys()]).toEqual(['default/a', 'default/c']);
  expect(found).toHaveLength(1);
});

describe('a Secret', () => {
  const keys = (rest: string) => {
    const object = read(SECRET(rest)).texts.find('Secret', 'default', 's');
    return {
      texts: Object.fromEntries([...(object?.fragments ?? [])].map(([key, { text }]) => [key, text])),
      hidden: [...(object?.hidden.keys() ?? [])],
    };
  };

  test('is decoded, stringData wins, and bytes that are no text are hidden', () => {
    expect(keys('data: { a: aMOp, b: Yg==, c: /w==, d: /w==, e: }\nstringData: { b: bee, d: dee }')).toEqual({
      texts: { a: 'hé', b: 'bee', d: 'dee', e: '' },
      hidden: ['c'],
    });
  });

  test('is confidential, at the place of its key', () => {
    const text = SECRET('data:\n  a: aGk=\nstringData:\n  b: |\n    one\n    two\n');
    const object = read(text).texts.find('Secret', 'default', 's');
    expect(object?.fragments.get('a')?.pieces()).toMatchObject([
      { text: 'hi', origin: { kind: 'value', line: 5, column: 6 }, secrecy: 'confidential' },
    ]);
    expect(object?.fragments.get('b')?.pieces()).toMatchObject([
      { text: 'one\n', origin: { kind: 'file', line: 8, column: 5 }, secrecy: 'confidential' },
      { text: 'two\n', origin: { kind: 'file', line: 9, column: 5 }, secrecy: 'confidential' },
    ]);
  });
});

test.each<[string, string | undefined]>([
  ['', ''],
  ['aGk=', 'hi'],
  ['aG\nk=\r\n', 'hi'],
  ['aGk', undefined],
  ['aGk==', undefined],
  ['aG k=', undefined],
  ['aGk=aGk=', undefined],
  ['a-_=', undefined],
  ['=aGk', undefined],
])('base64 %j decodes to %j', (encoded, text) => {
  const bytes = decodeBase64(encoded);
  expect(bytes === undefined ? undefined : decodeText(bytes)).toBe(text);
});
