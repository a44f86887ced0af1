import { expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';

const sheet = `title: A prompt
blocks: [{ name: rules, role: system, parts: [{ text: Be brief. }] }]
`;

it('a call that names no target is told what the project has', async () => {
  const names = 'abcdefghij'.split('');
  const cwd = folderWith({
    'cuebook.yaml': '',
    ...Object.fromEntries(names.map((name) => [`sheets/${name}.yaml`, sheet])),
  });
  for (const command of ['render', 'explain', 'run']) {
    const { code, stderr } = await cuebook([command, ...(command === 'explain' ? ['--at', '1:1'] : [])], {
      cwd,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('Missing target: name one of sheet:a, sheet:b, ');
    expect(stderr).toContain('sheet:h (and 2 more), or manifests with -f');
  }
});

it('outside of a project an example is told', async () => {
  const { code, stderr } = await cuebook(['render'], { cwd: folderWith({}) });
  expect(code).toBe(2);
  expect(stderr).toContain('name one, such as sheet:review, or manifests with -f');
});
