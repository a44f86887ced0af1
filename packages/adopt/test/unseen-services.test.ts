import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { emptyCall, type McpArgument, markerCalls } from '../src/readers/mcp-calls.js';
import { readerOf } from '../src/readers.js';
import { writerOf } from '../src/writers.js';
import { corePieces, type Piece, printed, value, values } from './arbitrary.js';
import { exportOf, normal } from './exported.js';
import { hold, shown, type Values } from './hold.js';
import { adopt, type Message, rendered } from './render.js';
import { encoded, oddText, spelled } from './unseen.js';

// Services whose renderer nobody can run: what they document is the rule that their files are held to.

const reader = (id: string) => {
  const found = readerOf(id);
  if (found === undefined) throw new Error(id);
  return found;
};
const spelling = fc.infiniteStream(fc.nat(1000));
const byteOrder = fc.constantFrom('plain', 'a byte order mark', 'CR LF', 'blank lines around');
const given = fc.array(value, { minLength: 3, maxLength: 3 });

/** `{{name}}` is replaced by the value of the variable; a developer message is a system message here. */
const fill = (text: string, all: Values): string =>
  text.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (tag, name: string) =>
    Object.hasOwn(all, name) ? (all[name] ?? '') : tag,
  );
const ROLES: Readonly<Record<string, string>> = { developer: 'system' };
const role = fc.constantFrom('system', 'developer', 'user', 'assistant');

interface Stored {
  readonly production_version: string;
  readonly versions: readonly {
    readonly version: string;
    readonly messages: readonly {
      readonly role: string;
      readonly content: string | readonly { readonly text: string }[];
    }[];
  }[];
}

/** What OpenAI sends for the first prompt of a file, by its documentation. */
const openai =
  (file: string) =>
  (all: Values): readonly Message[] => {
    const root = JSON.parse(file.replace(/^\ufeff/, '')) as Stored | readonly Stored[];
    const [prompt] = Array.isArray(root) ? (root as readonly Stored[]) : [root as Stored];
    const live = prompt?.versions.find(({ version }) => version === prompt.production_version);
    return (live?.messages ?? []).map(({ role: of, content }) => {
      const text = typeof content === 'string' ? content : content.map((part) => part.text).join('');
      return { role: ROLES[of] ?? of, content: fill(text, all) };
    });
  };

/** A text as the API takes it: alone, or in several parts. */
const contentOf = (texts: readonly string[], isList: boolean): unknown =>
  isList ? texts.map((text) => ({ type: 'input_text', text })) : texts.join('');

/** A whole file around the messages of the version of production. */
const storedFile = (
  messages: unknown,
  around: { readonly isList: boolean; readonly versions: number; readonly live: number },
) => {
  const versions = Array.from({ length: around.versions }, (_, index) => ({
    version: String(index + 1),
    messages:
      index === around.live % around.versions
        ? messages
        : [{ role: 'user', content: `old ${index} {{old}}` }],
    config: { model: 'm', temperature: 0.5 },
  }));
  const prompt = {
    openai_prompt_id: 'pmpt_1',
    name: 'p',
    production_version: String((around.live % around.versions) + 1),
    versions,
  };
  return around.isList ? [prompt, { ...prompt, openai_prompt_id: 'pmpt_2', name: 'q' }] : prompt;
};
const around = fc.record({ isList: fc.boolean(), versions: fc.integer({ min: 1, max: 3 }), live: fc.nat(5) });

const printedTexts = (pieces: readonly Piece[]): readonly string[] =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : `{{${piece.name}}}`));

/** Exported and imported again it is the same, and a second time too. */
function expectFixed(first: ReturnType<typeof adopt>): void {
  const writer = writerOf('langchain');
  const written = writer?.write(exportOf(first)).file;
  if (written === undefined) throw new Error('LangChain holds every prompt');
  const again = adopt(reader('langchain'), written.path, written.text);
  expect(normal(exportOf(again).messages)).toEqual(normal(exportOf(first).messages));
  const twice = writer?.write({ ...exportOf(again), name: exportOf(first).name }).file;
  expect(twice?.text).toBe(written.text);
}

describe('a file of stored OpenAI prompts', () => {
  it('of the portable core sends what the service sends, and comes back as it was', async () => {
    const messages = fc.array(fc.record({ role, pieces: corePieces, isList: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(messages, around, values, byteOrder, spelling, async (list, more, all, how, next) => {
        const file = storedFile(
          list.map(({ role: of, pieces, isList }) => ({
            role: of,
            content: contentOf(printedTexts(pieces), isList),
          })),
          more,
        );
        const bytes = encoded(
          spelled(file, () => next.next().value),
          how,
        );
        const adopted = adopt(reader('openai'), 'o.json', String(bytes));
        expect(adopted.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
        expect(shown(await rendered(adopted, all))).toEqual(shown(openai(String(bytes))(all)));
        expectFixed(adopted);
      }),
      runs(200, 2000),
    );
  });

  it('of any text is refused with its place, or sends what the service sends', async () => {
    const messages = fc.array(fc.record({ role, content: oddText, isList: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(messages, around, given, byteOrder, spelling, async (list, more, vars, how, next) => {
        const file = storedFile(
          list.map(({ role: of, content, isList }) => ({
            role: of,
            content: contentOf([...(content.match(/.{1,3}/gsu) ?? [''])], isList),
          })),
          more,
        );
        const bytes = encoded(
          spelled(file, () => next.next().value),
          how,
        );
        await hold('openai', 'o.json', bytes, vars, openai(String(bytes)));
      }),
      runs(500, 5000),
    );
  });
});

/** Names of variables as people give them. */
const NAMES = ['a', 'b', 'user name', 'größe', 'x.y', '1st', 'constructor', 'a·b'];

describe('a saved OpenAI response', () => {
  /** What the service answers when it is called with markers. */
  const response = (texts: readonly string[], names: readonly string[], isList: boolean, isPart: boolean) => {
    const marks = Object.fromEntries(names.map((name) => [name, `⟦${name}⟧`]));
    const said = texts.map((text) => fill(text, marks));
    return {
      ...{ object: 'response', id: 'resp_1', model: 'm', temperature: 1 },
      prompt: {
        id: 'pmpt_1',
        version: '1',
        variables: Object.fromEntries(
          names.map((name) => [name, isPart ? { type: 'input_text', text: marks[name] } : marks[name]]),
        ),
      },
      instructions: isList
        ? said.map((text) => ({
            type: 'message',
            role: 'developer',
            content: [{ type: 'input_text', text }],
          }))
        : said.join(''),
    };
  };
  const template = fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...NAMES).map((name) => `{{${name}}}`) },
      // The brackets of markers may stand in a text; a whole marker cannot be told from a variable.
      fc.constantFrom(
        'T',
        ' ',
        '\r\n',
        '⟦',
        '⟧',
        '⟦⟦',
        '{',
        '}',
        '<b>',
        '😀',
        '⟦other⟧',
        '$1',
        '{% x %}',
        '\\',
      ),
    ),
    { minLength: 1, maxLength: 8 },
  );

  it('gives back the template that was called with markers, and comes back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        template,
        template,
        fc.boolean(),
        fc.boolean(),
        given,
        spelling,
        async (one, two, isList, isPart, vars, next) => {
          const texts = [`T${one.join('')}.`, `U${two.join('')}.`];
          const file = spelled(response(texts, NAMES, isList, isPart), () => next.next().value);
          const library = (all: Values) =>
            (isList ? texts : [texts.join('')]).map((text) => ({ role: 'system', content: fill(text, all) }));
          expect(await hold('openai', 'r.json', Buffer.from(file), vars, library, true)).toBe(true);
          // A name that every object has is no variable of a manifest: its library would find what nobody handed in.
          if (!texts.join('').includes('constructor')) expectFixed(adopt(reader('openai'), 'r.json', file));
        },
      ),
      runs(300, 3000),
    );
  });
});

/** A prompt of a server: it makes messages from values. */
type Program = (all: Readonly<Record<string, string | undefined>>) => readonly Message[];

/** What the server answers to the calls that import makes. */
function answers(list: readonly McpArgument[], say: Program): string {
  const calls = [...markerCalls(list), ...(list.length === 0 ? [] : [emptyCall(list)])];
  const renders = calls.map((all) => ({
    arguments: all,
    messages: say(all).map(({ role: of, content: text }) => ({ role: of, content: { type: 'text', text } })),
  }));
  return JSON.stringify({ prompts: [{ prompt: { name: 'p', arguments: list }, renders }] });
}

const fromPieces =
  (messages: readonly { readonly role: string; readonly pieces: readonly Piece[] }[]): Program =>
  (all) =>
    messages.map(({ role: of, pieces }) => ({
      role: of,
      content: printed(pieces, (name) => all[name] ?? ''),
    }));

const speakers = fc.constantFrom('user', 'assistant');
const mcpMessages = fc.array(fc.record({ role: speakers, pieces: corePieces }), {
  minLength: 1,
  maxLength: 3,
});
const argumentsOf = (messages: readonly { readonly pieces: readonly Piece[] }[], needed: readonly string[]) =>
  [
    ...new Set(
      messages.flatMap(({ pieces }) =>
        pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name])),
      ),
    ),
  ].map((name) => ({ name, required: needed.includes(name) }));

/** What a program may do to a value, or to the rest of the text because of one. */
const TRICKS: Readonly<Record<string, (text: string | undefined) => string>> = {
  trims: (text = '') => text.trim(),
  'trims the end': (text = '') => text.trimEnd(),
  shouts: (text = '') => text.toUpperCase(),
  whispers: (text = '') => text.toLowerCase(),
  'escapes HTML': (text = '') => text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`),
  'escapes quotes': (text = '') => text.replaceAll('"', '\\"'),
  'writes JSON': (text = '') => JSON.stringify(text),
  'writes a URL': (text = '') => encodeURIComponent(text),
  'puts lines together': (text = '') => text.replace(/\s+/g, ' '),
  'takes CR LF for LF': (text = '') => text.replaceAll('\r\n', '\n'),
  counts: (text = '') => `${text.length}${text}`,
  cuts: (text = '') => text.slice(0, 10),
  'cuts late': (text = '') => text.slice(0, 40),
  'takes the first line': (text = '') => text.split('\n').find((line) => line.trim() !== '') ?? '',
  'has a default': (text) => text ?? 'none',
  'has a default for nothing': (text) => (text === undefined || text === '' ? 'none' : text),
  'asks for more': (text) => (text === undefined ? '' : `${text}, said politely`),
  'reads templates in values': (text = '') => text.replace(/\{\{x\}\}/g, 'X'),
  'replaces with a pattern': (text = '') => 'V'.replace('V', text),
  'drops what is no ASCII': (text = '') => text.replace(/[^ -~\s⟦⟧·]/g, ''),
  'turns around': (text = '') => [...text].reverse().join(''),
};

describe('prompts of an MCP server', () => {
  it('of the portable core answer what the server answers, and come back as they were', async () => {
    await fc.assert(
      fc.asyncProperty(
        mcpMessages,
        fc.subarray(['a', 'b', 'name', 'q', 'tone']),
        values,
        async (messages, needed, all) => {
          const say = fromPieces(messages);
          const list = argumentsOf(messages, needed);
          const adopted = adopt(reader('mcp'), 'm.json', answers(list, say));
          expect(adopted.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
          const nonEmpty = (said: readonly Message[]) => shown(said).filter(({ content }) => content !== '');
          expect(nonEmpty(await rendered(adopted, all))).toEqual(nonEmpty(say(all)));
          expectFixed(adopted);
          // `cuebook mcp` serves the sheet: imported from there it is the same again.
          const served = new Map<string, readonly Message[]>();
          for (const call of [...markerCalls(list), emptyCall(list)])
            served.set(JSON.stringify(call), await rendered(adopted, call));
          const again = adopt(
            reader('mcp'),
            'm.json',
            answers(list, (call) => served.get(JSON.stringify(call)) ?? []),
          );
          expect(again.sheets[0]?.blocks).toEqual(adopted.sheets[0]?.blocks);
        },
      ),
      runs(200, 2000),
    );
  });

  it.each(Object.keys(TRICKS))('are refused where the server %s', async (what) => {
    const trick = TRICKS[what] as (text: string | undefined) => string;
    await fc.assert(
      fc.asyncProperty(mcpMessages, async (messages) => {
        const own = [{ role: 'user', pieces: ['Do ', { name: 'a' }, '.'] }, ...messages];
        const list = argumentsOf(own, what === 'has a default for nothing' ? ['a', 'b'] : []);
        const say: Program = (all) => fromPieces(own)({ ...all, a: trick(all.a) });
        const adopted = adopt(reader('mcp'), 'm.json', answers(list, say));
        expect(adopted.sheets).toEqual([]);
        expect(adopted.diagnostics).toMatchObject([
          { code: 'W_IMPORT_MARKER', severity: 'warning', file: 'm.json', line: 1 },
        ]);
      }),
      runs(40, 400),
    );
  });

  it('are refused where an argument decides about another, or several about the text', async () => {
    const names = ['a', 'b', 'name'];
    const combination = fc.subarray(names, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(combination, fc.boolean(), async (some, isPresent) => {
        const list = names.map((name) => ({ name }));
        const say: Program = (all) => {
          const fits = names.every(
            (name) => (all[name] !== undefined) === (some.includes(name) === isPresent),
          );
          return [
            {
              role: 'user',
              content: `${names.map((name) => all[name] ?? '').join(', ')}${fits ? '!' : '.'}`,
            },
          ];
        };
        expect(adopt(reader('mcp'), 'm.json', answers(list, say)).sheets).toEqual([]);
      }),
      runs(40, 400),
    );
  });

  it('are refused alone where the server refuses a marker', () => {
    const good = JSON.parse(answers([{ name: 'a' }], ({ a = '' }) => [{ role: 'user', content: `T ${a}` }]));
    const [entry] = good.prompts;
    const bad = {
      prompt: { ...entry.prompt, name: 'q' },
      renders: [entry.renders[0], { arguments: { a: 'x' }, error: 'not one of\n1, 2' }],
    };
    const adopted = adopt(reader('mcp'), 'm.json', JSON.stringify({ prompts: [entry, bad] }));
    expect(adopted.sheets.map(({ name }) => name)).toEqual(['p']);
    expect(adopted.diagnostics).toMatchObject([{ code: 'W_IMPORT_MARKER', severity: 'warning', line: 1 }]);
  });

  it('of any text are refused with their place, or answer what the server answers', async () => {
    const texts = fc.array(fc.tuple(speakers, oddText, fc.boolean()), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(...NAMES), given, async (said, name, vars) => {
        const list = [{ name, required: true }];
        const say: Program = (all) =>
          said.map(([of, text, takes]) => ({
            role: of,
            content: `${text}${takes ? (all[name] ?? '') : ''}`,
          }));
        await hold('mcp', 'm.json', Buffer.from(answers(list, say)), vars, (all) => say(all), true);
      }),
      runs(300, 3000),
    );
  });
});
