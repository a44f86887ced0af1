import { afterAll, beforeAll, describe, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, sampled } from '../../../test/runs.js';
import type { ApiName } from '../src/api/vendor.js';
import { providerCatalog } from '../src/catalog/catalog.js';
import { readProviderConfig } from '../src/catalog/config.js';
import type { ProviderCapabilities } from '../src/turn.js';
import { type AgentDesk, openDesk } from './agent-desk.js';
import { apiStand, claudeStand, codexStand, geminiStand } from './capability/model-stands.js';
import { acpStand, lineStand, rawStand, rehearsalStand } from './capability/own-stands.js';
import { PROBES } from './capability/probe.js';
import type { Stand } from './capability/stand.js';

// The matrix of `cuebook providers`, cell by cell: a cell says yes if and only if the real thing did it.

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openDesk('capabilities');
});
afterAll(() => desk.close());
const get = () => desk;

const CELLS = Object.keys(PROBES) as readonly (keyof ProviderCapabilities)[];

function pin(stand: Stand, cells = CELLS): void {
  it.each(cells)('%s', async (cell) => {
    expect(await PROBES[cell](stand)).toBe(stand.row[cell]);
  });
}

const OWN = [rehearsalStand(get), lineStand(get), rawStand(get), acpStand(get)];
const APIS: readonly ApiName[] = ['anthropic', 'openai', 'openai-chat', 'google', 'compatible'];

describe.each([...OWN, ...APIS.map((api) => apiStand(get, api))])('what $name can do', (stand) => pin(stand));
// Each cell starts the CLI anew: one cell with each commit, all of them in a soak.
const SOME = sampled(CELLS, 1);
describePart('claude', 'what claude can do', ({ path }) => pin(claudeStand(get, path), SOME));
describePart('codex', 'what codex can do', ({ path }) => pin(codexStand(get, path), SOME));
describePart('gemini', 'what gemini can do', ({ path }) => pin(geminiStand(get, path), SOME));

describe('the matrix', () => {
  it('has no row that is not probed', () => {
    const config = readProviderConfig(
      'providers: { acp: { kind: acp, command: x }, line: { kind: line, command: x }, raw: { kind: raw, command: x } }',
      'cuebook.yaml',
    );
    if (!config.ok) throw new Error('the configuration does not fit');
    const rows = providerCatalog(config.value).map(({ name, capabilities }) => [name, capabilities]);
    const clis = [claudeStand(get, ''), codexStand(get, ''), geminiStand(get, '')];
    const probed = [...OWN, ...APIS.map((api) => apiStand(get, api)), ...clis];
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(probed.map(({ name, row }) => [name, row])));
  });
});
