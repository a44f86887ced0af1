import { expect, test } from 'vitest';
import { block, hash, piece, promptOf } from '../test/prompts.js';
import { renderDocument } from './document.js';
import { createTokenCounter } from './tokens.js';

const prompt = promptOf(
  block(
    'rules',
    'system',
    piece('Be kind to '),
    piece('Ümit', { secrecy: 'confidential', trust: 'operator' }),
    piece('.'),
  ),
  block('empty', 'user'),
  block(
    'ask',
    'user',
    piece('Now', { trust: 'user', volatility: 'turn', origin: { kind: 'input', ref: 'chat' } }),
  ),
);
const tokens = createTokenCounter((text) => text.length)(prompt);

test('the render document has the shape everything shares, in this order', () => {
  const document = renderDocument({ profile: 'sheet', prompt, tokens });
  expect(Object.keys(document)).toEqual([
    'profile',
    'hash',
    'messages',
    'blocks',
    'tools',
    'params',
    'tokens',
    'cache',
    'redactions',
    'diagnostics',
  ]);
  expect(Object.keys(document.blocks[0] ?? {})).toEqual(['name', 'role', 'text', 'hash', 'spans']);
  expect(Object.keys(document.blocks[0]?.spans[0] ?? {})).toEqual([
    'start',
    'end',
    'origin',
    'trust',
    'secrecy',
    'volatility',
  ]);
  expect(document).toMatchObject({
    profile: 'sheet',
    hash: hash(prompt.text),
    tools: [],
    params: {},
    diagnostics: [],
  });
  expect(document.tokens).toEqual({ total: 19, byBlock: { rules: 16, empty: 0, ask: 3 } });
});

test('confidential text is masked, with offsets as shown and the hash of the truth', () => {
  const document = renderDocument({ profile: 'sheet', prompt, tokens });
  expect(document.messages[0]).toEqual({ role: 'system', content: 'Be kind to [confidential].' });
  expect(document.blocks[0]?.hash).toBe(hash('Be kind to Ümit.'));
  expect(document.blocks[0]?.spans.map(({ start, end }) => [start, end])).toEqual([
    [0, 11],
    [11, 25],
    [25, 26],
  ]);
  expect(JSON.stringify(document)).not.toContain('Ümit');
});

test('--reveal shows it', () => {
  const document = renderDocument({ profile: 'sheet', prompt, tokens, reveal: true });
  expect(document.messages[0]?.content).toBe('Be kind to Ümit.');
});

test('the stable prefix ends at the first text that changes every turn, and says what moving it saves', () => {
  expect(renderDocument({ profile: 'sheet', prompt, tokens }).cache).toMatchObject({
    stablePrefixBytes: 19,
    brokenBy: { block: 'ask', savesBytes: 0, span: { origin: { ref: 'chat' } } },
  });
  const early = promptOf(
    block('a', 'system', piece('It is '), piece('noon', { volatility: 'turn' }), piece('. Rules')),
    block('b', 'user', piece('more')),
  );
  expect(renderDocument({ profile: 'sheet', prompt: early, tokens }).cache).toMatchObject({
    stablePrefixBytes: 6,
    brokenBy: { block: 'a', savesBytes: 11 },
  });
  const calm = promptOf(block('a', 'system', piece('x')));
  expect(renderDocument({ profile: 'sheet', prompt: calm, tokens }).cache).toEqual({
    stablePrefixBytes: 1,
    brokenBy: null,
  });
});

test('each distinct text is counted once', () => {
  const counted: string[] = [];
  const count = createTokenCounter((text) => {
    counted.push(text);
    return text.length;
  });
  count(prompt);
  count(promptOf(block('other', 'user', piece('Now')), block('new', 'user', piece('New'))));
  expect(counted).toEqual(['Be kind to Ümit.', '', 'Now', 'New']);
});
