import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { flagsOf } from '../apps/cli/src/command.js';
import { COMMANDS } from '../apps/cli/src/commands.js';
import { ROOT } from './root.js';

interface Service {
  readonly image: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

const { services, volumes } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const ours = Object.entries(services).filter(
  ([, { image, entrypoint }]) => image.startsWith('cuebook:') && entrypoint === undefined,
);

describe('compose.yaml', () => {
  it('has a database, a place for the work of teams, a server and workers', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'workspaces', 'server', 'worker', 'proxy']);
    expect(ours.map(([name]) => name)).toEqual(['server', 'worker']);
  });

  it.each(ours)(
    '%s is called with a command and flags that there are',
    (_, { command = [], environment }) => {
      const [name, ...rest] = command;
      const found = COMMANDS.find((each) => each.name === name);
      expect(found, name).toBeDefined();
      const flags = found ? flagsOf(found) : [];
      for (let at = 0; at < rest.length; at += 1) {
        const flag = flags.find((each) => `--${each.name}` === rest[at]);
        expect(flag, rest[at]).toBeDefined();
        if (flag?.value !== undefined) at += 1;
      }
      expect(environment).toMatchObject({
        CUEBOOK_DATABASE_URL: expect.stringMatching(
          /^postgres:\/\/cuebook:\$\{POSTGRES_PASSWORD\}@postgres\//,
        ),
        CUEBOOK_HOME: '/state/home',
      });
    },
  );

  it.each(ours)('%s keeps the work of teams where the others find it', (_, { environment, volumes = [] }) => {
    const [, own = ''] = /^\$\{CUEBOOK_WORKSPACES:-(.+)\}$/.exec(environment?.CUEBOOK_WORKSPACES ?? '') ?? [];
    expect(services.workspaces?.command?.at(-1)).toBe(own);
    const mounted = `workspaces:${dirname(own)}`;
    for (const each of [volumes, services.workspaces?.volumes]) expect(each).toContain(mounted);
    // A volume takes its owner from the folder of the image.
    expect(readFileSync(join(ROOT, 'Containerfile'), 'utf8')).toMatch(
      new RegExp(`mkdir .*${dirname(own)} && chown 65532:65532 .*${dirname(own)}$`, 'm'),
    );
  });

  it.each(ours)('%s is asked whether it is ready, at the port that it answers on', (_, service) => {
    const { command = [], healthcheck } = service;
    const port = command[command.findIndex((each) => each === '--port' || each === '--probes') + 1];
    // Every word is a text: a colon in a plain one would make it a map.
    for (const each of healthcheck?.test ?? []) expect(each).toBeTypeOf('string');
    expect(healthcheck?.test.at(-1)).toContain(`http://127.0.0.1:${port}/readyz`);
  });

  it('names only volumes and services that there are', () => {
    for (const { volumes: mounted = [], depends_on: needs = {} } of Object.values(services)) {
      for (const name of mounted.map((each) => each.split(':')[0] ?? '').filter((each) => /^\w+$/.test(each)))
        expect(volumes).toHaveProperty([name]);
      for (const name of Object.keys(needs)) expect(services).toHaveProperty([name]);
    }
  });
});
