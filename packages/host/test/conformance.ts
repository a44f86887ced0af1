import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe } from 'vitest';
import type { KindFixture } from './conformance/fixture.js';
import { kitOf } from './conformance/kit.js';
import { describeLosing } from './conformance/losing.js';
import { describeNewer } from './conformance/newer.js';
import { describeProcesses } from './conformance/processes.js';
import { describeSources } from './conformance/sources.js';
import { describeStarting } from './conformance/starting.js';
import { describeUpdates } from './conformance/updates.js';
import { describeWaiting } from './conformance/waiting.js';
import type { Stand } from './stand.js';

/** The promises that every kind of run keeps. */
export function describeKind(name: string, fixture: KindFixture): void {
  describe(`${name} as a kind of run`, () => {
    const kit = kitOf(fixture);
    beforeEach(async () => {
      await kit.fresh();
    });
    afterEach(() => kit.remove());

    describeStarting(kit);
    describeWaiting(kit);
    describeProcesses(kit);
    describeLosing(kit);
    describeSources(kit);
    describeUpdates(kit);
    describeNewer(kit);
  });
}

/** The text of a file of the project; undefined: there is none. */
export function projectFile(stand: Stand, path: string): string | undefined {
  try {
    return readFileSync(`${stand.project}/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}
