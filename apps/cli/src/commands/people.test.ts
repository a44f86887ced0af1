import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';

const asked = async (cwd: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await cuebook(['people', ...args, '--json'], { cwd });
  return { code, said: JSON.parse(stdout || stderr) as Record<string, unknown> };
};

describe('cuebook people', () => {
  it('adds, lists, changes and takes back', async () => {
    const cwd = folderWith(TEMPLATE);
    expect((await cuebook(['people'], { cwd })).stdout).toContain('Nobody but the owner');
    const { said } = await asked(cwd, 'add', 'ada', '--role', 'viewer', '--by', 'me');
    expect(said).toMatchObject({ name: 'ada', role: 'viewer', token: expect.stringMatching(/^cbu\./) });
    expect((await asked(cwd, 'role', 'ada', 'operator')).said).toMatchObject({ role: 'operator' });
    const more = (await asked(cwd, 'token', 'ada', '--days', '2')).said;
    const listed = await asked(cwd);
    expect(listed.said).toMatchObject({
      people: [
        { name: 'ada', role: 'operator', addedBy: 'me', tokens: [{ expiresAt: null }, { id: more.id }] },
      ],
    });
    expect(JSON.stringify(listed.said)).not.toMatch(/hash|cbu\./);
    expect(await asked(cwd, 'revoke', 'ada', '--token', String(more.id))).toEqual({
      code: 0,
      said: { name: 'ada', token: more.id, revoked: true },
    });
    expect((await asked(cwd, 'revoke', 'ada')).code).toBe(0);
    expect((await asked(cwd)).said).toEqual({ people: [] });
    // What lists runs does not list this.
    expect((await cuebook(['runs'], { cwd })).stdout).not.toContain('run_register');
    expect((await cuebook(['log', 'run_registerpeople'], { cwd })).stdout).toContain('person.removed');
  });

  it.each([
    { args: ['add', 'ada'], code: 2, says: 'Name --role. There are owner, operator, reviewer, viewer' },
    { args: ['add', 'ada', '--role', 'king'], code: 2, says: 'No role is called' },
    { args: ['add', 'Ada', '--role', 'viewer'], code: 1, says: 'E_PERSON_NAME' },
    { args: ['role', 'nobody-here', 'viewer'], code: 1, says: 'E_PERSON_UNKNOWN' },
    { args: ['revoke', 'nobody-here'], code: 1, says: 'E_PERSON_UNKNOWN' },
    { args: ['token', 'ada', '--days', '0'], code: 2, says: '--days takes a number' },
    { args: ['ad'], code: 2, says: 'Did you mean add?' },
  ])('$args is answered with $code and why', async ({ args, code, says }) => {
    const cwd = folderWith(TEMPLATE);
    const answer = await cuebook(['people', ...args, '--json'], { cwd });
    expect(answer.code).toBe(code);
    expect(answer.stdout + answer.stderr).toContain(says);
  });
});
