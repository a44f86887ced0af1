// @ts-check
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';

// Appends on several lanes at once and says on standard output what was acknowledged, until it kills itself at a
// fault point or is killed. Arguments: the package, and as JSON the place, the home of its owner, the number that each lane has,
// which lane is the first, how many more to write on each, and where to die.

const [, , url = '', json = '{}'] = process.argv;
const { place, home, lanes, first, count, die } = JSON.parse(json);
const { openOwner, openStore } = await import(url);
const files = await openFolder(home);
if (!files.ok) throw new Error(files.error.code);
const owner = await openOwner(files.value, { folder: home, anchorFile: join(home, 'anchor.jsonl') });
if (!owner.ok) throw new Error(owner.error.code);

let hits = 0;
/** @param {string} side */
const at = (side) => (/** @type {string} */ point) => {
  if (die.point !== point || die.side !== side) return;
  hits += 1;
  if (hits === die.hit) process.kill(process.pid, 'SIGKILL');
};
// Without faults the writes of all lanes share commits.
const fault = die ? { before: at('before'), after: at('after') } : undefined;
const opened = await openStore(place, { owner: owner.value, ...(fault ? { fault } : {}) });
if (!opened.ok) throw new Error(JSON.stringify(opened.error));
const store = opened.value;

await Promise.all(
  lanes.map(async (/** @type {number} */ done, /** @type {number} */ lane) => {
    const run = `run_lane${first + lane}`;
    for (let number = done + 1; number <= done + count; number += 1) {
      const result = await store.append({
        run,
        command: `cmd_${number}`,
        target: `number ${number}`,
        // Two events for each number; a repeated command does not look at it.
        expectedSeq: 2 * (number - 1),
        events: [
          { type: 'number.begun', data: { number } },
          { type: 'number.done', data: { number, text: 'words '.repeat(20) } },
        ],
        blobs: [new TextEncoder().encode(`content ${first + lane} ${number} `.repeat(10))],
        projections: [{ name: 'lane', key: run, value: { number } }],
        answer: { number },
      });
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      if (result.value.answer.number !== number) throw new Error('another answer');
      writeSync(1, `${first + lane} ${number}\n`);
    }
  }),
);
await store.close();
