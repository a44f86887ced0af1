import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProviderConfig } from '@cuebook/provider';
import { type HostStand, hostStand, type StandOptions } from './host-stand.js';

/** One turn of the scripted CLI: see the head of `scripted-cli.mjs`. */
export type Act = Readonly<Record<string, unknown>>;
export type CliLanes = Readonly<Record<string, readonly (readonly Act[])[]>>;

/** What the scripted CLI heard in a turn. */
export interface HeardPrompt {
  readonly alias: string;
  readonly turn: number;
  readonly promptKind: 'full' | 'delta';
  readonly sessionId: string;
  readonly access?: string;
  readonly tools?: readonly string[];
  readonly pid: number;
  readonly prompt: string;
  /** What it has on its machine of earlier turns of the session. */
  readonly remembers?: string;
}

export interface CliStand extends HostStand {
  script(lanes: CliLanes): void;
  heard(alias?: string): readonly HeardPrompt[];
}

/** A child program that was built elsewhere is told where it is. */
export const SCRIPTED_CLI =
  process.env.SCRIPTED_CLI ?? fileURLToPath(new URL('./scripted-cli.mjs', import.meta.url));

/** A project whose provider `cli` is the scripted CLI; `missing` is a program that is not there. */
export async function cliStand(given: StandOptions = {}): Promise<CliStand> {
  let root = given.root ?? '';
  const place = (name: string): string => join(root, name);
  const stand = await hostStand({
    ...given,
    config: (folder) => {
      root = folder;
      return cliConfig(place('script.json'), place('heard.jsonl'));
    },
  });
  return {
    ...stand,
    script: (lanes) => writeFileSync(place('script.json'), JSON.stringify({ lanes })),
    heard(alias) {
      const file = place('heard.jsonl');
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
      const all = lines.map((line) => JSON.parse(line) as HeardPrompt);
      return alias === undefined ? all : all.filter((each) => each.alias === alias);
    },
  };
}

/** `sessions`: the folder in which it keeps them. */
export const cliConfig = (script: string, log: string, sessions?: string): ProviderConfig => ({
  providers: {
    cli: {
      kind: 'line',
      command: process.execPath,
      args: [SCRIPTED_CLI, script, log, ...(sessions === undefined ? [] : [sessions])],
      env: {},
      allow: [],
      ...(sessions !== undefined && { sessions }),
    },
    missing: { kind: 'line', command: 'cuebook-no-such-program', args: [], env: {}, allow: [] },
  },
});
