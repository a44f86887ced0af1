import { hash as sha256 } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createEditorProject } from '@cuebook/editor';
import { type Files, openFolder } from '@cuebook/files';
import { manifestProfile } from '@cuebook/manifest';
import { checkTarget } from '@cuebook/profile';
import { createRedactor } from '@cuebook/prompt';
import { sheetProfile } from '@cuebook/sheet';
import { roleProfile, teamProfile } from '@cuebook/team/profiles';
import { workflowProfile } from '@cuebook/workflow/profiles';
import { measure } from './measure.js';

// What an edit costs in a project of 1,000 files: diagnostics of the whole project anew, beside checking only the targets
// that the edited file is a part of, as `check TARGET` does in a process that is warm.

const SHEETS = 450;
const TEXTS = 500;
const ROLES = 50;
const BAR = 1.5;
const PROFILES = [sheetProfile, manifestProfile, roleProfile, teamProfile, workflowProfile];

const folder = mkdtempSync(join(tmpdir(), 'bench-editor-'));
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const words = (seed: number): string =>
  Array.from(
    { length: 12 },
    (_, line) => `Rule ${line} of ${seed}: name the file and the line of every finding.\n`,
  ).join('');
/** A text that so many sheets include: 9, 18 and 45 of them. */
const SHARED = [10, 5, 2] as const;
for (let n = 0; n < TEXTS; n += 1) put(`texts/t${n}.md`, words(n));
for (const every of SHARED) put(`texts/shared${every}.md`, words(every));
for (let n = 0; n < ROLES; n += 1)
  put(`docs/templates/r${n}.md`, `[template]\nname = "r${n}"\nversion = "1"\n\n${words(n)}`);
for (let n = 0; n < SHEETS; n += 1) {
  const shared = SHARED.filter((every) => n % (every * 5) === 0).map(
    (every) => `      - include: shared${every}\n`,
  );
  put(
    `sheets/s${n}.yaml`,
    `inputs:\n  q: { trust: user, secrecy: public, volatility: turn, example: why }\nblocks:\n  - name: a\n    role: system\n    parts:\n      - include: t${n}\n${shared.join('')}  - name: b\n    role: user\n    parts:\n      - input: q\n`,
  );
}

try {
  const redactor = createRedactor({ roots: [], private: [], names: [] });
  const hash = (text: string): string => `sha256:${sha256('sha256', text)}`;
  const open = async (lay: (files: Files) => Files) => {
    const opened = await openFolder(folder, { access: 'ro' });
    if (!opened.ok) throw new Error(opened.error.code);
    const files = lay(opened.value);
    return { bench: { profiles: PROFILES, project: files, files, hash, redactor }, diagnostics: [] };
  };
  const project = createEditorProject({
    open,
    nothing: { code: 'E_NO_TARGET', severity: 'error', message: '' },
    tokenizer: async () => () => 0,
  });
  const begun = process.cpuUsage();
  await project.settle();
  const first = process.cpuUsage(begun);
  const total = SHEETS + TEXTS + ROLES;
  console.log(
    `\n${total} files, ${project.checker.targets().length} targets: first look ${((first.user + first.system) / 1e3).toFixed(0)} ms of CPU`,
  );

  let worst = 0;
  for (const name of ['t7', ...SHARED.map((every) => `shared${every}`)]) {
    const file = `texts/${name}.md`;
    const targets = project.targetsOf(file);
    const times = await measure({
      fresh: (n) => `${words(n)}${n}\n`,
      calls: Math.max(4, Math.round(60 / targets.length)),
      rounds: 12,
      contenders: [
        {
          name: 'check',
          run: async (text) => {
            const { bench } = await open((files) => ({
              ...files,
              readText: async (path, options) =>
                path === file ? { ok: true, value: text } : files.readText(path, options),
            }));
            for (const target of targets) await checkTarget(bench, target);
          },
        },
        {
          name: 'edit',
          run: async (text) => {
            project.buffers.set(file, text);
            const looks = project.checker.looks();
            project.tell([{ path: file, isMove: false }]);
            await project.settle();
            project.diagnostics();
            if (project.checker.looks() - looks !== targets.length)
              throw new Error('it looked at other targets');
          },
        },
      ],
    });
    const [check = 1, edit = 0] = times.values();
    worst = Math.max(worst, edit / check);
    console.log(
      `  an edit that ${targets.length} targets depend on: ${edit.toFixed(0)} us, checking them ${check.toFixed(0)} us, ${(edit / check).toFixed(2)} times`,
    );
  }
  console.log(`  worst ${worst.toFixed(2)} times, bar ${BAR}`);
  process.exitCode = worst > BAR ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
