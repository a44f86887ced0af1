import { ROLES, type SECRECIES, type TRUSTS, type VOLATILITIES } from '@cuebook/prompt';
import type { NameIndex } from '../names/name-index.js';
import type { NameKind } from '../names/name-use.js';
import { TEMPLATE_FUNCTIONS } from '../names/template-names.js';
import type { EditorProject } from '../project.js';
import type { TextRange } from '../text/lines.js';

/** Something that can be written at a place. */
export interface Completion {
  readonly label: string;
  readonly kind: 'file' | 'name' | 'word' | 'function' | 'target' | 'key';
  readonly detail: string;
}

export interface Completions {
  /** What has been written of it already: it is replaced. */
  readonly range: TextRange;
  readonly items: readonly Completion[];
}

/** What can be written at a place. Only what stands before it on its line counts, so a half-written file is fine. */
export async function completeAt(
  project: EditorProject,
  file: string,
  offset: number,
): Promise<Completions | undefined> {
  const text = await project.text(file);
  if (text === undefined) return undefined;
  const before = text.slice(Math.max(0, offset - MAX_BEFORE), offset);
  const index = await project.names();
  const place: CompletePlace = { file, text, offset, index, targets: project.checker.targets() };
  const inTemplate = TEMPLATED.test(file) ? /\{\{(?:(?!\}\})[^{])*$/.exec(before)?.[0] : undefined;
  if (inTemplate !== undefined) return completeTemplate(place, inTemplate);
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
  for (const { files, before: pattern, offer } of RULES) {
    if (!files.test(file)) continue;
    const typed = pattern.exec(line)?.groups?.typed;
    if (typed !== undefined) return found(place, typed, offer(place));
  }
  return undefined;
}

const MAX_BEFORE = 4_000;
const TEMPLATED = /^(?:sheets|texts|manifests)\/.+\.(?:ya?ml|json)$/;

interface CompletePlace {
  readonly file: string;
  readonly text: string;
  readonly offset: number;
  readonly index: NameIndex;
  readonly targets: readonly string[];
}

const found = ({ offset }: CompletePlace, typed: string, items: readonly Completion[]): Completions => ({
  range: { start: offset - typed.length, end: offset },
  items,
});

/** Inside `{{`: texts to include, fields of the dot, functions. */
function completeTemplate(place: CompletePlace, action: string): Completions {
  const { file, index } = place;
  const isManifest = file.startsWith('manifests/');
  const included = /\binclude\s+["`](?<typed>[^"`]*)$/.exec(action)?.groups?.typed;
  if (included !== undefined)
    return found(place, included, isManifest ? fragments(place) : named(index, 'text'));
  const field = /(?:^|[^\w)\]"`])\$?\.(?<typed>\w*)$/.exec(action)?.groups?.typed;
  if (field !== undefined) {
    const fields = isManifest
      ? MANIFEST_FIELDS
      : index.inputsFor(file).map((name) => [name, 'input'] as const);
    return found(
      place,
      field,
      fields.map(([label, detail]) => ({ label, kind: 'name', detail })),
    );
  }
  const typed = /\w*$/.exec(action)?.[0] ?? '';
  const items = Object.entries(TEMPLATE_FUNCTIONS).map(
    ([label, detail]): Completion => ({ label, kind: 'function', detail }),
  );
  return found(place, typed, items);
}

const MANIFEST_FIELDS: readonly (readonly [string, string])[] = [
  ['AgentName', 'metadata.name of the Agent'],
  ['AgentNamespace', 'metadata.namespace of the Agent'],
  ['Description', 'spec.description of the Agent'],
  ['ToolNames', 'the tools of the Agent, a list'],
  ['SkillNames', 'the skills of the Agent, a list'],
];

/** `alias/key` of the sources that are named above in the same document. */
function fragments({ text, offset, index }: CompletePlace): readonly Completion[] {
  const start = Math.max(0, text.lastIndexOf('\n---', offset));
  const next = text.indexOf('\n---', offset);
  const document = text.slice(start, next === -1 ? text.length : next);
  const namespace = /^\s+namespace:\s*["']?([\w.-]+)/m.exec(document)?.[1] ?? 'default';
  const sources = document.slice(Math.max(0, document.indexOf('dataSources:')));
  const found: Completion[] = [];
  for (const [entry] of sources.matchAll(/^\s*-(?:(?!^\s*-)[\s\S]){0,400}/gm)) {
    const name = /\bname:\s*["']?([\w.-]+)/.exec(entry)?.[1];
    const alias = /\balias:\s*["']?([\w.-]+)/.exec(entry)?.[1] ?? name;
    if (name === undefined || alias === undefined) continue;
    for (const full of index.all('fragment')) {
      const [source = '', key = ''] = full.split(' ');
      if (source === `${namespace}/${name}`)
        found.push({ label: `${alias}/${key}`, kind: 'name', detail: source });
    }
  }
  return found;
}

interface CompleteRule {
  readonly files: RegExp;
  /** What stands before the place on its line; `typed` is what has been written already. */
  readonly before: RegExp;
  readonly offer: (place: CompletePlace) => readonly Completion[];
}

const named = (index: NameIndex, kind: NameKind, scope?: string): readonly Completion[] =>
  index.all(kind, scope).map((label) => ({ label, kind: 'name', detail: kind }));

const words = (list: Readonly<Record<string, string>>): readonly Completion[] =>
  Object.entries(list).map(([label, detail]) => ({ label, kind: 'word', detail }));

const SHEETS = /^(?:sheets|texts)\/.+\.yaml$/;
const TEAMS = /(?:^|\/)(?:[^/]+\.)?team\.ya?ml$|^teams\/.+\.ya?ml$/;
const PACKAGES = /(?:^|\/)[^/]+\.json$/;
const CODE = /\.m?[jt]sx?$/;
const ANY_YAML = /\.ya?ml$/;

/** The value of a key of YAML that is being written. */
const value = (key: string, typed = String.raw`[\w./-]*`): RegExp =>
  new RegExp(String.raw`(?:^|[{,\s-])${key}:\s*["']?(?<typed>${typed})$`);
const jsonValue = (key: string): RegExp => new RegExp(String.raw`"${key}"\s*:\s*"(?<typed>[^"]*)$`);
const literal = (key: string): RegExp => new RegExp(String.raw`\b${key}\s*:\s*["'](?<typed>[^"']*)$`);
const listLiteral = (key: string): RegExp =>
  new RegExp(String.raw`\b${key}\s*:\s*\[(?:[^\]]*,)?\s*["'](?<typed>[^"']*)$`);

const TRUST_WORDS: Readonly<Record<(typeof TRUSTS)[number], string>> = {
  platform: 'text that comes with Cuebook',
  author: "the project's own files",
  operator: 'reviewed configuration: stands in its line as it is',
  user: 'command line and chat: stands in a fence',
  agent: 'written by agents: stands in a fence',
  tool: 'results of tools: stands in a fence',
  external: 'downloaded or fetched: stands in a fence',
};
const SECRECY_WORDS: Readonly<Record<(typeof SECRECIES)[number], string>> = {
  public: 'may be shown to everybody',
  confidential: 'reaches the model, is masked elsewhere',
  secret: 'never reaches a model',
};
const VOLATILITY_WORDS: Readonly<Record<(typeof VOLATILITIES)[number], string>> = {
  build: 'changes when the project is built',
  deploy: 'changes with a deployment',
  session: 'changes with a session',
  turn: 'changes with every turn: ends the stable prefix',
};

const callable = ({ index }: CompletePlace): readonly Completion[] =>
  (['tool', 'prompt', 'agent'] as const).flatMap((kind) => named(index, kind));

const packageFolder = (file: string): string =>
  file.startsWith('workflows/') ? file.split('/').slice(0, 2).join('/') : '.';

const RULES: readonly CompleteRule[] = [
  {
    files: SHEETS,
    before: value('include'),
    offer: ({ index }) =>
      index.all('text').map((label) => ({ label, kind: 'file', detail: `texts/${label}` })),
  },
  {
    files: SHEETS,
    before: value('input'),
    offer: ({ index, file }) =>
      index.inputsFor(file).map((label) => ({ label, kind: 'name', detail: 'input' })),
  },
  { files: SHEETS, before: value('trust'), offer: () => words(TRUST_WORDS) },
  { files: SHEETS, before: value('secrecy'), offer: () => words(SECRECY_WORDS) },
  { files: SHEETS, before: value('volatility'), offer: () => words(VOLATILITY_WORDS) },
  {
    files: SHEETS,
    before: value('role'),
    offer: () => ROLES.map((label) => ({ label, kind: 'word', detail: 'role of a message' })),
  },
  {
    files: SHEETS,
    before: value('blank'),
    offer: () =>
      words({ send: 'a message of white space is sent', omit: 'a message of white space is left out' }),
  },
  {
    files: SHEETS,
    before: value('type'),
    offer: () => words({ text: 'a text', list: 'a list of texts, as JSON', json: 'any JSON, for templates' }),
  },
  {
    files: SHEETS,
    before: value('otherwise'),
    offer: () => words({ refuse: 'a value that does not fit is an error', fence: 'it stands in a fence' }),
  },
  {
    files: SHEETS,
    before: /^\s*-\s+(?<typed>\w*)$/,
    offer: () =>
      Object.entries({
        'text: ': 'words as they stand',
        'include: ': 'a text of texts/',
        'input: ': 'what a caller hands in',
        'template: ': 'a Go template over the inputs',
      }).map(([label, detail]) => ({ label, kind: 'key', detail })),
  },
  {
    // Placeholders of a scenario are declared in its own file.
    files: /^scenarios\/[^/]+\.yaml$/,
    before: /\{(?<typed>[a-z0-9_]*)$/,
    offer: ({ text }) =>
      [...text.matchAll(/^\s*-\s*(?:\{\s*)?name:\s*["']?([a-z][a-z0-9_]*)/gm)].map(([, label = '']) => ({
        label,
        kind: 'name',
        detail: 'placeholder',
      })),
  },
  { files: TEAMS, before: value('role'), offer: ({ index }) => named(index, 'role') },
  {
    files: TEAMS,
    before: value('(?:from|to|with)'),
    offer: ({ index, file }) => named(index, 'alias', file),
  },
  {
    files: PACKAGES,
    before: jsonValue('(?:from|to|entryNodeId)'),
    offer: ({ index, file }) => named(index, 'step', packageFolder(file)),
  },
  {
    files: PACKAGES,
    before: jsonValue('agentId'),
    offer: ({ index, file }) => named(index, 'speaker', packageFolder(file)),
  },
  {
    files: PACKAGES,
    before: jsonValue('(?:file|workflow|graph|agents)'),
    offer: ({ index, file }) => {
      const folder = `${packageFolder(file)}/`;
      return index
        .files()
        .filter((each) => each.startsWith(folder))
        .map((each) => ({ label: each.slice(folder.length), kind: 'file', detail: each }));
    },
  },
  { files: CODE, before: literal('model'), offer: ({ index }) => named(index, 'model') },
  { files: CODE, before: literal('prompt'), offer: ({ index }) => named(index, 'prompt') },
  { files: CODE, before: literal('(?:stopTool|sessionStop|sessionFail|sessionStatus)'), offer: callable },
  { files: CODE, before: listLiteral('tools'), offer: callable },
  { files: CODE, before: listLiteral('hooks'), offer: ({ index }) => named(index, 'hook') },
  {
    files: CODE,
    before: /\b(?:prompt|ask|start|render)\(\s*["'`](?<typed>[\w:./#-]*)$/,
    offer: ({ targets }) => targets.map((label) => ({ label, kind: 'target', detail: 'target' })),
  },
  {
    files: ANY_YAML,
    before: value('targets?', String.raw`[\w:./#-]*`),
    offer: ({ targets }) => targets.map((label) => ({ label, kind: 'target', detail: 'target' })),
  },
];
