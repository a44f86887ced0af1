import type { WaitView } from '@cuebook/api';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { WaitBody } from './wait-body.js';

const wait = (more: Partial<WaitView>): WaitView =>
  ({
    ...{ id: 'w', run: 'run_1', kind: 'team', target: null, lane: null, name: 'dev', for: 'approval' },
    ...{ tool: 'execute', input: null, reason: null, since: 0, expiresAt: null, answers: [], example: '' },
    ...more,
  }) as WaitView;
const shown = (more: Partial<WaitView>): string =>
  renderToStaticMarkup(createElement(WaitBody, { wait: wait(more) }));

const TOUCH = 'touch F';
const EDIT = [{ file: 'a.md', patch: '@@ -1 +1 @@\n-w\n+x' }];
/** The change tells the whole of the edit. */
const TOLD = EDIT.map((change) => ({ ...change, tells: ['/path', '/content'] }));

describe('what a person decides about', () => {
  it.each<readonly [string, Partial<WaitView>]>([
    ['a second command', { input: { cmd: 'ls', command: TOUCH } }],
    ['a second command, the other way round', { input: { command: 'ls', cmd: TOUCH } }],
    ['the folder of a command', { input: { command: 'make', cwd: TOUCH } }],
    ['a command beside an edit', { input: { path: 'a.md', content: 'x', command: TOUCH }, changes: EDIT }],
    ['another file beside an edit', { input: { path: 'a.md', file_path: TOUCH }, changes: EDIT }],
    ['words within a sequence of a terminal', { input: { command: `ls \x1b]0; ${TOUCH}; \x07` } }],
    ['the same in a patch', { changes: [{ file: 'a.md', patch: `@@ -1 +1 @@\n+\x1b]0;${TOUCH}\x07` }] }],
  ])('is shown with %s', (_name, more) => {
    expect(shown(more)).toContain(TOUCH);
  });

  it('is not told twice', () => {
    const text = shown({ tool: 'write', input: { path: 'a.md', content: 'x' }, changes: TOLD });
    expect(text.match(/a\.md</g)).toHaveLength(1);
    expect(text).not.toContain('More of the call');
  });
});
