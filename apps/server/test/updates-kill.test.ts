import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiAnswer, Client, RunEventView } from '@cuebook/api';
import { openStore, type RunId } from '@cuebook/journal';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, SEED, sampled, share } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import type { UpdateTask } from './child/update-program.js';
import { goOn, isStill, must, PROJECT, problemsOf, script, until } from './machines.js';
import {
  asTold,
  firstClone,
  gitIn,
  nextClone,
  projectOf,
  told,
  UPDATED_KINDS,
  type UpdatedKind,
  words,
} from './updating.js';

/** What an edit of the team file brings beside its goal: an update of several events is whole, or is not. */
const more = (text: string): string =>
  text.replace(
    'nodes: [{ alias: lead, role: orchestrator }]',
    'nodes: [{ alias: lead, role: orchestrator, label: Chief }, { alias: hand, role: implementer }]',
  );

/** Two folders below `packages/define`, as the file is that loads definitions, so that it finds them. */
const BESIDE_DEFINE = new URL('../../../packages/define/node_modules/', import.meta.url);

const cases = (['one machine', 'machines on Postgres'] as const).flatMap((where) =>
  UPDATED_KINDS.flatMap((kind) =>
    (['folder', 'commit'] as const).map((how) => [kind.target, where, how, kind] as const),
  ),
);

/**
 * Steps at which the process that moves a run is killed: in a soak all, until one life has none left. The first is one
 * that every life has.
 */
const STEPS_TO_TRY = Array.from({ length: 400 }, (_, step) => step).filter(
  (step) => step % share(40, 1) === SEED % share(16, 1),
);

describePart('postgres', 'a process that is killed with kill -9 while it moves a run', () => {
  let server: Databases;
  let child: ChildProgram;
  beforeAll(async () => {
    server = await sharedPostgres();
    child = await buildProgram(new URL('./child/update-program.ts', import.meta.url), BESIDE_DEFINE);
  });
  afterAll(() => child.remove());

  /** One life of a process that moves a run. */
  async function live(task: UpdateTask) {
    const born = spawn(process.execPath, [child.program, JSON.stringify(task)]);
    let [said, problems] = ['', ''];
    born.stdout.on('data', (data: Buffer) => {
      said += data.toString();
    });
    born.stderr.on('data', (data: Buffer) => {
      problems += data.toString();
    });
    const signal = await new Promise((resolve) => born.once('close', (_, name) => resolve(name)));
    if (signal === 'SIGKILL') return undefined;
    if (said === '') throw new Error(problems);
    return JSON.parse(said) as { readonly answer: ApiAnswer<unknown>; readonly steps: number };
  }

  it.each(cases)(
    '%s, %s, to a %s: at every step the run has the old version whole or the new one, the same command again is done once, and nothing is lost',
    async (target, where, how, { file, from, to }) => {
      const isShared = where === 'machines on Postgres';
      const first = firstClone(isShared ? await server.createDatabase() : '');
      const home = join(first.root, 'home');
      let up = await first.up({ home });
      const mover = isShared ? nextClone(first) : first;
      const folder = projectOf(mover);
      const git = gitIn(folder);
      const text = PROJECT[file] ?? '';
      const edited = more(text.replace(from, to));
      const begin = async (id: string) => {
        const steps = script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' });
        const { run } = must(await up.client.startRun({ id, target, ...words(target), script: steps }));
        await until(up.client, run, (each) => isStill(each) && each.turns === 1);
        return run;
      };
      /** A life of the mover. A home has one server: alone, the other one ends before. */
      const move = async (task: Pick<UpdateTask, 'run' | 'id' | 'kill'>) => {
        if (!isShared) await up.server.close();
        writeFileSync(join(folder, file), edited);
        const lived = await live({
          ...task,
          root: mover.root,
          env: mover.env,
          ...(how === 'commit' && { to: 'next' }),
        });
        writeFileSync(join(folder, file), text);
        if (!isShared) up = await first.up({ home });
        return lived;
      };
      writeFileSync(join(folder, file), edited);
      git('checkout', '-q', '-b', 'next');
      git('commit', '-qam', 'Second');
      git('checkout', '-q', '-');

      const model = await begin('model');
      const before = await eventsOf(up.client, model);
      const { steps = 0, answer } = (await move({ run: model, id: 'u', kill: -1 })) ?? {};
      expect(answer, JSON.stringify(answer)).toMatchObject({ ok: true });
      const moved = (await eventsOf(up.client, model)).slice(before.length).map(({ type }) => type);
      expect(moved).toContain('run.updated');

      for (const kill of sampled(
        Array.from({ length: steps }, (_, each) => each),
        1,
      )) {
        const run = await begin(`a${kill}`);
        const old = await eventsOf(up.client, run);
        await move({ run, id: 'u', kill });
        const killed = (await eventsOf(up.client, run)).slice(old.length).map(({ type }) => type);
        expect([[], moved]).toContainEqual(killed);
        // Half of them go on with what they have before the command is sent again.
        const goesOn = kill % 2 === 0;
        if (goesOn) await turn(up.client, run, 2);
        const again = await move({ run, id: 'u', kill: -1 });
        expect(again?.answer).toMatchObject({ ok: true });
        await turn(up.client, run, goesOn ? 3 : 2);
        const events = await eventsOf(up.client, run);
        for (const type of new Set(moved))
          expect(
            events.filter((each) => each.type === type).length -
              old.filter((each) => each.type === type).length,
            type,
          ).toBe(moved.filter((each) => each === type).length);
        const isNew = (await told(up.client, run)).map((each) => each.includes(asTold(to)));
        expect(isNew).toEqual([false, ...(goesOn ? [killed.length > 0] : []), true]);
        expect(await problemsOf(up.client, run)).toEqual([]);
      }
    },
  );

  it.each(
    (['one machine', 'machines on Postgres'] as const).flatMap((where) =>
      ['agent:desk', 'workflow:workflows/hb', 'team:team.yaml'].map((target) => [target, where] as const),
    ),
  )(
    '%s, %s: one command, sent again after a kill at each of its steps in turn, moves the run once and whole',
    async (target, where) => {
      const { file, from, to } = UPDATED_KINDS.find((each) => each.target === target) as UpdatedKind;
      const isShared = where === 'machines on Postgres';
      const first = firstClone(isShared ? await server.createDatabase() : '');
      const home = join(first.root, 'home');
      let up = await first.up({ home });
      const steps = script({ text: 'One.' }, { text: 'Two.' });
      const { run } = must(await up.client.startRun({ id: 'a', target, ...words(target), script: steps }));
      await until(up.client, run, (each) => isStill(each) && each.turns === 1);
      const old = (await eventsOf(up.client, run)).length;
      const mover = isShared ? nextClone(first) : first;
      writeFileSync(join(projectOf(mover), file), more((PROJECT[file] ?? '').replace(from, to)));
      // A home has one server: alone, the other one ends before.
      if (!isShared) await up.server.close();
      const typesNow = async (): Promise<readonly string[]> => {
        if (isShared) return (await eventsOf(up.client, run)).slice(old).map(({ type }) => type);
        const store = await openStore({ file: join(home, 'journal.db') });
        if (!store.ok) throw new Error(store.error.code);
        const events = await store.value.read(run as RunId, { after: old });
        await store.value.close();
        return events.map(({ type }) => type);
      };
      let moved: readonly string[] = [];
      for (const [at, kill] of STEPS_TO_TRY.entries()) {
        const lived = await live({ run, id: 'u', kill, root: mover.root, env: mover.env });
        const types = await typesNow();
        // It is moved whole, or not at all; and once it is moved it stays so.
        if (moved.length === 0 && types.length > 0) expect(types).toContain('run.updated');
        else expect(types).toEqual(moved);
        moved = types;
        if (lived === undefined) continue;
        // No step is left: this life ended by itself.
        expect(lived.answer, JSON.stringify(lived.answer)).toMatchObject({ ok: true });
        expect(lived.steps).toBeLessThanOrEqual(kill);
        expect(at).toBeGreaterThan(0);
        break;
      }
      const { answer } = (await live({ run, id: 'u', kill: -1, root: mover.root, env: mover.env })) ?? {};
      expect(answer, JSON.stringify(answer)).toMatchObject({ ok: true });
      const last = await typesNow();
      expect(last.filter((type) => type === 'run.updated')).toHaveLength(1);
      if (moved.length > 0) expect(last).toEqual(moved);
      if (!isShared) up = await first.up({ home });
      await turn(up.client, run, 2);
      expect((await told(up.client, run)).map((each) => each.includes(asTold(to)))).toEqual([false, true]);
      expect(await problemsOf(up.client, run)).toEqual([]);
    },
  );
});

async function turn(client: Client, run: string, turns: number): Promise<void> {
  await goOn(client, run);
  await until(client, run, (each) => isStill(each) && each.turns === turns);
}

const eventsOf = async (client: Client, run: string): Promise<readonly RunEventView[]> =>
  must(await client.listEvents({ run, limit: 1_000 })).events;
