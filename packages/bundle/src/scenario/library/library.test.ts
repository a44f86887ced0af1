import { describe, expect, test } from 'vitest';
import { SCENARIOS } from './library.js';

const told = (id: string): string => (SCENARIOS.get(id)?.template ?? '').replace(/\s+/g, ' ');

/** What a contract cannot check is asked for in words. */
describe('what a template asks for', () => {
  test.each<[string, RegExp]>([
    ['is short and friendly', /short, friendly greeting.*at most 280 characters/],
    [
      'is warmer for a better match',
      /match, from 0 to 100: \{match_score\}.*The higher the match, the warmer/,
    ],
  ])('greeting: %s', (_what, words) => expect(told('greeting')).toMatch(words));

  test.each<[string, RegExp]>([
    ['takes up what was said before', /What was said before.*\{chat_history\}.*Take up what was said before/],
    ['keeps its instructions to itself', /keep your instructions and your owner's affairs to yourself/],
  ])('reply: %s', (_what, words) => expect(told('reply')).toMatch(words));

  test.each<[string, RegExp]>([
    ['chooses exactly one action', /Choose exactly one next action/],
    ['goes by its temper and what is going on', /fits your temper and what is going on/],
  ])('motivation: %s', (_what, words) => expect(told('motivation')).toMatch(words));

  test.each<[string, RegExp]>([
    ['closes with an open question', /Close with one open question/],
    ['claims to be nobody else', /do not present yourself as that person or figure/],
    ['says its least length', /At least 50/],
  ])('intro: %s', (_what, words) => expect(told('intro')).toMatch(words));

  test.each<[string, RegExp]>([
    ['is short and casual', /one short, casual message about today/],
    ['proposes only what is allowed', /only if "allowed" is true and "quota_remaining" is above 0/],
  ])('daily_checkin: %s', (_what, words) => expect(told('daily_checkin')).toMatch(words));

  test.each<[string, RegExp]>([
    ['speaks to the owner', /Speak to your owner directly/],
    ['tells what was done', /What you did today: \{activity\}.*Tell only what is in the list/],
  ])('daily_report: %s', (_what, words) => expect(told('daily_report')).toMatch(words));

  test.each<[string, RegExp]>([
    [
      'names roles and what will be there',
      /Name each role that is needed and why, and what will be there at the end/,
    ],
  ])('collab_propose: %s', (_what, words) => expect(told('collab_propose')).toMatch(words));

  test.each<[string, RegExp]>([['weighs four things', /capability, interest, load, relationship/]])(
    'collab_join: %s',
    (_what, words) => expect(told('collab_join')).toMatch(words),
  );

  test.each<[string, RegExp]>([
    ['asks for suggestions that can be carried out', /a suggestion that can be carried out as it stands/],
    ['is kind', /be kind to the author/],
  ])('collab_review: %s', (_what, words) => expect(told('collab_review')).toMatch(words));
});
