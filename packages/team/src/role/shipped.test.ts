import { describe, expect, it } from 'vitest';
import { SHIPPED_ROLES } from './shipped.js';

const told = (name: keyof typeof SHIPPED_ROLES): string => SHIPPED_ROLES[name].replace(/\s+/g, ' ');

/** What each role is for. A template may say more; without one of these it is another role. */
describe('what a shipped template tells its role', () => {
  it.each<[string, RegExp]>([
    ['delegates', /handoff so that its reader needs nothing else/],
    ['splits what can be done side by side', /Split the work.*parallel work saves/],
    ['reads every diff', /Read the diff\b.*the verification of every part/],
    ['keeps documents true', /Keep the documents true/],
    ['logs what it decides', /Say what you decided and why/],
    ['says when it is done', /finish_run with ok true/],
  ])('orchestrator: %s', (_what, words) => expect(told('orchestrator')).toMatch(words));

  it.each<[string, RegExp]>([
    ['learns the repository', /Learn how the repository does things now/],
    ['plans with acceptance criteria', /Write a plan in steps.*acceptance criteria/],
    [
      'writes documents only',
      /write documents only\. In PLANNING everything outside of the documents folder/,
    ],
  ])('planner: %s', (_what, words) => expect(told('planner')).toMatch(words));

  it.each<[string, RegExp]>([
    ['changes code', /You change code so that it does what was asked/],
    ['writes tests and runs checks', /Write the test that fails without your change.*Run the checks/],
    ['keeps changes small', /the smallest change that meets the task/],
    ['says what changed and why', /what changed and why/],
    ['coordinates', /When others work beside you.*send a handoff/],
    ['leaves its diff to the record', /diff is recorded by itself after each turn/],
    ['changes no code while planning', /In PLANNING you change no code/],
  ])('implementer: %s', (_what, words) => expect(told('implementer')).toMatch(words));

  it.each<[string, RegExp]>([
    ['runs the checks', /Run the checks yourself/],
    ['reads the diff and says how bad', /read the whole diff.*how bad that is/],
    ['gives a structured summary', /Verdict in one line, Must change, Should change/],
    ['edits nothing', /do not edit what you review/],
  ])('reviewer: %s', (_what, words) => expect(told('reviewer')).toMatch(words));

  it.each<[string, RegExp]>([
    ['looks quickly, inside and outside', /one question, fast.*then outside sources/],
    ['answers and changes nothing', /Change no file.*the answer first/],
  ])('investigator: %s', (_what, words) => expect(told('investigator')).toMatch(words));
});
