import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { providerCatalog, readProviderConfig } from '@cuebook/provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../test/model-server/index.js';
import { describePart } from '../../../test/part.js';
import { itInTurn, SEED, share } from '../../../test/runs.js';
import { problems } from './host-stand.js';
import { KINDS, type UnseenKind } from './unseen/kinds.js';
import { sweep } from './unseen/sweep.js';

// Calls that nobody has listed, by the model of every kind of provider, while a person denies whatever is asked.

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const COUNT = share(12, 240);
const table: string[] = [];
afterAll(() => {
  if (share(0, 1) === 1) console.log(table.join('\n'));
});

async function denied(kind: UnseenKind, program = ''): Promise<void> {
  const { calls, asked, denied, ran, verified, hold } = await sweep(kind, {
    ...{ server, program, seed: SEED, count: COUNT },
  });
  table.push(`${kind.name}: ${calls} calls, ${asked} asked, ${calls - asked} refused, ${ran.length} ran`);
  if (hold !== undefined || problems.length > 0) console.error(kind.name, hold, problems.splice(0));
  expect([kind.name, ran]).toEqual([kind.name, []]);
  expect(verified).toMatchObject({ ok: true, problems: [] });
  expect(denied).toBe(asked);
}

describe('a call that nobody has seen', () => {
  it.each(KINDS.filter(({ part }) => part === undefined).map((kind) => [kind.name, kind] as const))(
    'does nothing while a person says no: %s',
    (_name, kind) => denied(kind),
  );
});

for (const kind of KINDS)
  if (kind.part !== undefined)
    describePart(kind.part, `a call that nobody has seen, of ${kind.name}`, ({ path }) => {
      itInTurn(`does nothing while a person says no: ${kind.name} itself`, () => denied(kind, path));
    });
