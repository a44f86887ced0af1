import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { reporter } from '../diagnostic.js';
import { chooseVersions } from './versions.js';

const labels = fc.uniqueArray(fc.constantFrom('production', 'latest', 'staging'), { maxLength: 2 });

it('a version that is not taken is named, or somebody chose another', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ version: fc.nat(99), labels }), {
        minLength: 1,
        maxLength: 30,
        selector: ({ version }) => version,
      }),
      fc.constantFrom({}, { all: true }, { label: 'staging' }, { version: '7' }),
      (list, how) => {
        const report = reporter('f.json');
        const prompts = list.map((each) => ({ ...each, name: 'p' }));
        const taken = chooseVersions(prompts, how, report, () => ({ line: 1, column: 1 }));
        const words = report.found.map(({ message }) => message).join('\n');
        const left = prompts.filter((each) => !taken.some(({ prompt }) => prompt === each));
        const isChosen = 'label' in how || 'version' in how;
        if (left.length === 0 || isChosen) return void expect(words).not.toContain('--all');
        const [{ prompt: one } = { prompt: undefined }] = taken;
        expect(words).toContain(`Version ${one?.version} of "p" was taken`);
        const named = left.filter(({ version }) =>
          new RegExp(`(?:not|;) ${version}(?![0-9])`).test(words),
        ).length;
        const more = Number(/; (\d+) more/.exec(words)?.[1] ?? 0);
        expect(named + more).toBeGreaterThanOrEqual(left.length);
        expect(report.found.every(({ severity }) => severity === 'info')).toBe(true);
      },
    ),
    runs(500, 5000),
  );
});
