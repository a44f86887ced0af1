import type { AnyProfile } from '@cuebook/profile';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { profilesFor } from '../project/profiles.js';
import { INPUTS, inputFlags } from '../table/inputs.js';
import { flagsOfProfile, readInput } from './flags.js';

const profile = {
  prefix: 'demo',
  input: z.object({
    topic: z.string().describe('What about'),
    maxSteps: z.number().optional().describe('How far'),
    dryRun: z.boolean().default(false),
    tag: z.array(z.string()).default([]).describe('Labels'),
    set: z.record(z.string(), z.string()).optional(),
    mode: z.enum(['a', 'b']).optional(),
  }),
} as unknown as AnyProfile;

const io = { cwd: '/', env: {}, stdin: [] } as never;

describe('input flags', () => {
  it('derive from the schema of the profile', () => {
    expect(flagsOfProfile(profile)).toEqual([
      { name: 'topic', value: 'VALUE', description: 'What about' },
      { name: 'max-steps', value: 'NUMBER', description: 'How far' },
      { name: 'dry-run', description: '' },
      { name: 'tag', value: 'VALUE', description: 'Labels', repeatable: true },
      { name: 'set', value: 'NAME=VALUE', description: '', repeatable: true },
      { name: 'mode', value: 'VALUE', description: '' },
    ]);
  });

  it('stand in a table as the profiles have them, so that help loads none', async () => {
    const profiles = await profilesFor({});
    expect(INPUTS).toEqual(
      profiles.map((each) => ({ prefix: each.prefix, flags: flagsOfProfile(each), examples: each.examples })),
    );
    const names = inputFlags().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(names)).toEqual(new Set(INPUTS.flatMap(({ flags }) => flags.map(({ name }) => name))));
  });

  it('are read into the shape of the schema', async () => {
    const flags = {
      topic: 'x',
      'max-steps': '3',
      'dry-run': true,
      tag: ['a', 'b'],
      set: ['k=v', '__proto__=w'],
      json: true,
    } as const;
    const input = await readInput(profile, flags, io);
    expect(input).toEqual({ topic: 'x', maxSteps: 3, dryRun: true, tag: ['a', 'b'], set: expect.anything() });
    expect(Object.entries((input as { set: object }).set)).toEqual([
      ['k', 'v'],
      ['__proto__', 'w'],
    ]);
    expect(profile.input.safeParse(input).success).toBe(true);
  });

  it('are no input when none is given', async () => {
    expect(await readInput(profile, { json: true }, io)).toBeUndefined();
  });

  it.each(['x', '', ' ', 'Infinity'])('refuse %j where a number is wanted', async (text) => {
    await expect(readInput(profile, { 'max-steps': text }, io)).rejects.toMatchObject({ code: 'E_USAGE' });
  });
});
