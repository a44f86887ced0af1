import { createRedactor } from '@cuebook/prompt';
import { expect, it } from 'vitest';
import { workspaceRedactor } from './workspace-redactor.js';

const FOLDER = '/home/ada/p/.cuebook/workspaces/run_1/node_1';
const base = createRedactor({ roots: [['@project', '/home/ada/p']], private: ['/home/ada'], names: ['ada'] });
const redactor = workspaceRedactor(base, FOLDER);

it.each([
  [`${FOLDER}/src/a.ts`, '@workspace/src/a.ts'],
  [`see ${FOLDER}, and ${FOLDER}/b`, 'see @workspace, and @workspace/b'],
  [`cd ${FOLDER}2`, 'cd @project/.cuebook/workspaces/run_1/node_12'],
  ['/home/ada/p/x', '@project/x'],
  ['plain', 'plain'],
])('%s is told as %s', (text, told) => {
  expect(redactor.redactText(text).text).toBe(told);
  expect(redactor.redactValue({ deep: [text] }).value).toEqual({ deep: [told] });
  expect(redactor.leaks(redactor.redactText(text).text)).toEqual([]);
});

it('what names the folder still is a leak', () => {
  expect(redactor.leaks(`in ${FOLDER}`)).not.toEqual([]);
});
