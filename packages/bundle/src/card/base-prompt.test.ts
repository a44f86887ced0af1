import { piecesText } from '@cuebook/prompt';
import { describe, expect, test } from 'vitest';
import { DRAFT } from '../../test/platform.js';
import { must } from '../../test/scratch.js';
import { basePrompt, basePromptPieces } from './base-prompt.js';
import { readDraft } from './card.js';
import { promptView, viewPieces } from './view.js';
import { type CardWords, wordsOf } from './words.js';

const draft = (more: object = {}) => must(readDraft({ ...DRAFT, ...more }));
const temper = (more: object) => ({ extrovert: 0, curious: 0, creative: 0, stable: 0, ...more });

describe('the base prompt of a card', () => {
  test('has every word of the card', () => {
    const text = basePrompt(
      draft({
        name: 'Nia',
        description: 'A walker.',
        bio: 'Knows every bridge.',
        interests: ['rivers', 'night trains'],
        capabilities: ['drawing maps'],
        persona: {
          no_impersonation: true,
          inspiration: { kind: 'animal', reference: 'an otter', note: 'playful' },
          voice: { tone_tags: ['dry'], writing_rules: ['short sentences'], catchphrases: ['off we go'] },
        },
      }),
    );
    for (const words of [
      ...['You are Nia,', 'A walker.', 'Knows every bridge.', 'rivers | night trains', 'drawing maps'],
      ...['an otter', 'playful', 'dry', 'short sentences', 'off we go', 'You are not it'],
    ])
      expect(text).toContain(words);
  });

  test.each(['extrovert', 'curious', 'creative', 'stable'] as const)(
    'tells the temper in a number and in words: %s',
    (trait) => {
      const low = basePrompt(draft({ personality: temper({}) })).split('\n');
      const high = basePrompt(draft({ personality: temper({ [trait]: 0.75 }) })).split('\n');
      const changed = high.filter((line, index) => line !== low[index]);
      expect(changed).toHaveLength(1);
      expect(changed[0]).toMatch(/: 0\.75 of 1\. \S/);
      expect(changed[0]?.replace('0.75', '0')).not.toBe(low[high.indexOf(changed[0] ?? '')]);
    },
  );

  test('a change of any field changes it', () => {
    const before = basePrompt(draft());
    for (const more of [
      { name: 'Other' },
      { bio: 'other' },
      { description: 'other' },
      { interests: ['other'] },
      { capabilities: ['other'] },
      { persona: undefined },
      { personality: temper({ stable: 1 }) },
    ])
      expect(basePrompt(draft(more))).not.toBe(before);
  });

  test('says in pieces what it says as a text, and so does the view', () => {
    const card = draft({ bio: 'One.\nTwo \\ "three".', interests: ['a; b', 'c'], persona: undefined });
    const paths: string[] = [];
    const words: CardWords = (path, text) => {
      paths.push(path.join('.'));
      return wordsOf('card')(path, text);
    };
    expect(piecesText(basePromptPieces(card, words))).toBe(basePrompt(card));
    expect(piecesText(viewPieces(card, words))).toBe(must(promptView(card)));
    expect(paths).toEqual(expect.arrayContaining(['name', 'bio', 'interests.1', 'personality.stable']));
    for (const { origin, trust } of basePromptPieces(card, words))
      expect(trust).toBe(origin.kind === 'value' ? 'operator' : 'platform');
  });
});
