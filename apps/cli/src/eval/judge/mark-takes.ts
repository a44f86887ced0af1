import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  type BlindOptions,
  type JudgeFacts,
  type Mark,
  type MarkableTake,
  markOf,
  nextToMark,
  printMark,
} from '@cuebook/eval';
import { openLineLog } from '@cuebook/files';
import { flagValue } from '../../command.js';
import { Failure } from '../../failure.js';
import { linesOf } from '../../input/lines.js';
import { count as counted, screenText } from '../../output/style.js';
import { wholeNumber } from '../numbers.js';
import { loadMarks, marksFile } from './file.js';
import type { JudgeDesk } from './judge-takes.js';

interface Marking {
  readonly judge: JudgeFacts;
  readonly judgeHash: string;
  readonly takes: readonly MarkableTake[];
  readonly count: number;
}

/** Hands out takes one by one, without variant, score or verdict, and writes down each answer at once. */
export async function markTakes({ call, bench }: JudgeDesk, marking: Marking): Promise<number> {
  const { io, flags } = call;
  const { judge, judgeHash, takes, count } = marking;
  const options: BlindOptions = {
    ...{ judge: judge.name, judgeHash, asks: judge.asks, hash: bench.hash },
    by: flagValue(flags, 'by') ?? userInfo().username,
    seed: wholeNumber(flags, 'seed', [0, 2 ** 31]) ?? 20240229,
  };
  const marks: Mark[] = [...(await loadMarks(call, bench, judge.name))];
  const log = openLineLog(join(bench.folder, marksFile(judge.name)));
  const passed = new Set<string>();
  const show = async () => {
    const item = nextToMark(
      takes.filter(({ take }) => !passed.has(take)),
      marks,
      options,
    );
    if (item === undefined) return undefined;
    await io.out(
      screenText(
        `\n${item.input}\n---\n${item.answer}\n---\n${item.asks} [y/n, s to pass over, q to end; ${item.left} left]\n`,
        io.terminal.out,
      ),
    );
    return item;
  };
  let given = 0;
  try {
    let item = await show();
    if (item === undefined) await io.out('Every take is marked.\n');
    else
      for await (const bytes of linesOf(io.stdin, 1000)) {
        const word = Buffer.from(bytes ?? [])
          .toString()
          .trim()
          .toLowerCase();
        if (/^q(?:uit)?$/.test(word)) break;
        const pass = /^y(?:es)?$/.test(word) ? true : /^no?$/.test(word) ? false : undefined;
        if (pass === undefined && !/^s(?:kip)?$/.test(word)) {
          await io.out('y, n, s or q is needed.\n');
          continue;
        }
        const mark = markOf(
          takes,
          { id: item.id, pass: pass === true, at: new Date().toISOString() },
          options,
        );
        if (mark === undefined) break;
        if (pass === undefined) passed.add(mark.take);
        else {
          const failed = log.append(printMark(mark).trimEnd());
          if (failed !== undefined)
            throw new Failure('E_DISK', `${marksFile(judge.name)} cannot be written: ${failed}`, { exit: 3 });
          marks.push(mark);
          given += 1;
        }
        if (given >= count) break;
        item = await show();
        if (item === undefined) break;
      }
    log.sync();
  } finally {
    log.close();
  }
  await io.out(`${counted(given, 'mark')} written to ${marksFile(judge.name)}.\n`);
  return 0;
}
