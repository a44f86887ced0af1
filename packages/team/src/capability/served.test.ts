import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { someNode } from '../../test/facts.js';
import { authorizeServed, type ServedTool, serversWithin, toolsServedTo } from './served.js';

const SERVERS = ['notes', 'note', 'wiki'] as const;
const OWN = ['read', 'read.all', 'edit'] as const;
const TOOLS: readonly ServedTool[] = SERVERS.flatMap((server) =>
  OWN.map((own) => ({ name: `mcp.${server}.${own}`, server, description: '', parameters: {} })),
);
const entry = fc.oneof(
  fc.constantFrom<string>(...SERVERS),
  fc.tuple(fc.constantFrom(...SERVERS), fc.constantFrom(...OWN, 'other')).map((both) => both.join('.')),
);
const entries = fc.array(entry, { maxLength: 6 });
const namesOf = (servers: readonly string[]): readonly string[] =>
  toolsServedTo({ servers }, TOOLS).map(({ name }) => name);

describe('what a node may call of servers', () => {
  it('is for a child what was wanted for it and its parent has, tool by tool', () => {
    fc.assert(
      fc.property(entries, entries, (wanted, parents) => {
        const both = namesOf(wanted).filter((name) => namesOf(parents).includes(name));
        expect(namesOf(serversWithin(wanted, parents))).toEqual(both);
      }),
      runs(500, 5_000),
    );
  });

  it('grows in no generation', () => {
    fc.assert(
      fc.property(fc.array(entries, { minLength: 1, maxLength: 5 }), entries, (wishes, root) => {
        let servers: readonly string[] = root;
        for (const wish of wishes) {
          const before = namesOf(servers);
          servers = serversWithin(wish, servers);
          expect(before).toEqual(expect.arrayContaining([...namesOf(servers)]));
        }
      }),
      runs(300, 3_000),
    );
  });

  const tool = fc.record(
    { asks: fc.constant(true as const), reads: fc.constant(true as const) },
    { requiredKeys: [] },
  );
  it('is decided by the node, the mode, the role and the operator, and what is denied is never asked', () => {
    const given = {
      tool,
      isListed: fc.boolean(),
      delegateOnly: fc.boolean(),
      gated: fc.boolean(),
      planning: fc.boolean(),
      readsOnly: fc.boolean(),
    };
    fc.assert(
      fc.property(fc.record(given), ({ tool: more, isListed, delegateOnly, gated, planning, readsOnly }) => {
        const served = { ...(TOOLS[0] as ServedTool), ...more };
        const plain = someNode({ id: 'n', ...(isListed ? { servers: ['notes'] } : { servers: ['wiki'] }) });
        const node = {
          ...plain,
          capabilities: { ...plain.capabilities, delegateOnly },
          permissions: { ...plain.permissions, cliPermissionsMode: gated ? 'gated' : 'skip' } as const,
        };
        const globalMode = planning ? 'PLANNING' : 'IMPLEMENTATION';
        const { kind } = authorizeServed(node, served.name, { globalMode, served: [served], readsOnly });
        const isDenied = !isListed || delegateOnly || (more.reads !== true && (planning || readsOnly));
        expect(kind).toBe(isDenied ? 'deny' : more.asks === true || gated ? 'ask' : 'allow');
      }),
      runs(500, 5_000),
    );
  });
});
