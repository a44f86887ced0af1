import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Files, openFolder } from '@cuebook/files';
import type { RunId } from '@cuebook/journal';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { anyToken } from '../../../test/tokens.js';
import { readRunNote, writeRunNote } from './run-note.js';

let folder = '';
let home: Files;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'run-note-'));
  const opened = await openFolder(folder);
  if (!opened.ok) throw new Error(opened.error.code);
  home = opened.value;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RUN = 'run_a' as RunId;
const FILE = 'runs/run_a.json';

describe('the note of a run', () => {
  it('reads back, and nothing that somebody wrote is on the disk in clear', async () => {
    const words = anyToken.map((token) => `say ${token} "\n`);
    const note = fc.record(
      {
        setup: words,
        script: words,
        servers: words.map((key) => ({ one: { headers: { Authorization: key } } })),
        call: fc.record({ target: words, model: words, script: words }),
        digest: fc.constant('d1'),
        salt: fc.constant('s1'),
        machine: fc.constant('m1'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(note, async (given) => {
        expect(await writeRunNote(home, RUN, given)).toMatchObject({ ok: true });
        expect(await readRunNote(home, RUN)).toEqual(given);
        const onDisk = readFileSync(join(folder, FILE), 'latin1');
        for (const text of JSON.stringify(given).match(/say [^"\\]+/g) ?? [])
          for (const part of [text, text.slice(4, 16), Buffer.from(text).toString('base64').slice(0, 16)])
            expect(onDisk).not.toContain(part);
      }),
      runs(60, 2_000),
    );
  });

  it('of before is read as it stands, and one that was changed or sealed elsewhere says so and nothing else', async () => {
    writeFileSync(join(folder, FILE), JSON.stringify({ script: 'lanes: {}', digest: 'd' }));
    expect(await readRunNote(home, RUN)).toEqual({ script: 'lanes: {}', digest: 'd' });
    await writeRunNote(home, RUN, { script: 'lanes: {}', machine: 'm' });
    const text = readFileSync(join(folder, FILE), 'utf8');
    writeFileSync(join(folder, FILE), text.replace(/"sealed":"(.{40})./, '"sealed":"$1_'));
    expect(await readRunNote(home, RUN)).toEqual({ machine: 'm', unopened: true });
    writeFileSync(join(folder, FILE), text);
    const [key = ''] = readdirSync(join(folder, 'keys'));
    writeFileSync(join(folder, 'keys', key), `${Buffer.alloc(32, 7).toString('base64url')}\n`);
    expect(await readRunNote(home, RUN)).toEqual({ machine: 'm', unopened: true });
  });
});
