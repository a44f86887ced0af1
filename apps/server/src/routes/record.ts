import { RECORD_ROUTES } from '@cuebook/api';
import type { RunId } from '@cuebook/journal';
import { fail, ok } from '@cuebook/prompt';
import { findNode } from '@cuebook/team';
import { badField, fromHost } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { eventView } from '../stream/line.js';
import { createRunMask } from '../stream/run-mask.js';
import { turnList } from '../view/turn-list.js';
import { readRun, requireAny, type TeamParts } from './parts.js';

/** What is on record of a run. Confidential words are masked everywhere. */
export function recordRoutes(parts: TeamParts) {
  const { host, store } = parts;
  const maskOf = (run: string) => createRunMask(store, run as RunId);
  return routeGroup(RECORD_ROUTES, {
    listEvents: async ({ params: { run }, query: { after, limit } }) => {
      const read = await requireAny(parts, run);
      if (!read.ok) return read;
      const mask = await maskOf(run);
      const events = await store.read(run as RunId, { after, limit });
      const last = events.at(-1)?.seq ?? after;
      return ok({
        events: events.map((event) => eventView(event, mask.value(event.data))),
        after: last,
        last: Math.max(last, read.value.seq),
        more: last < read.value.seq,
      });
    },
    listTurns: async ({ params: { run }, query: { node, limit } }) => {
      const read = await readRun(parts, run);
      if (!read.ok) return read;
      const nodes = Object.values(read.value.state.nodes).map((each) => each.node);
      const only = node === undefined ? undefined : findNode(nodes, node);
      if (node !== undefined && only === undefined) return fail(badField('node', 'no such node in this run'));
      const mask = await maskOf(run);
      const turns = (await turnList(store, run as RunId)).filter((turn) => !only || turn.node === only.id);
      const newest = turns.slice(-limit).reverse();
      return ok({ turns: newest.map((turn) => mask.value(turn)) });
    },
    getArtifact: async ({ params: { run, hash } }) => {
      const name = hash.startsWith('sha256:') ? hash : `sha256:${hash}`;
      const found = await host.artifact(run as RunId, name);
      if (!found.ok) return fail(fromHost(found.error));
      const mask = await maskOf(run);
      return ok({ hash: name, text: String(mask.value(found.value)) });
    },
    keepPack: async ({ params: { run }, body: { id: _, ...given } }) => {
      const read = await readRun(parts, run);
      if (!read.ok) return read;
      const kept = await host.keepPack(run as RunId, { ...given, by: 'author', artifacts: [] } as NewPack);
      return kept.ok ? ok(kept.value) : fail(fromHost(kept.error));
    },
  });
}

type NewPack = Parameters<TeamParts['host']['keepPack']>[1];
