import type { Diagnostic } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { ALL_CODES } from '../all-codes.js';
import { sarifLog } from './sarif.js';

const DIAGNOSTICS: readonly Diagnostic[] = [
  {
    code: 'E_SHEET',
    severity: 'error',
    message: 'bad',
    file: 'sheets/ä b.yaml',
    line: 3,
    column: 7,
    path: 'blocks[0]',
  },
  { code: 'W_SHEET_INPUT_UNUSED', severity: 'warning', message: 'spare', file: 'sheets/b.yaml' },
  { code: 'E_TARGET', severity: 'error', message: 'none' },
  { code: 'E_SHEET', severity: 'error', message: 'bad too', file: 'sheets/c.yaml', line: 1 },
];

describe('a SARIF log', () => {
  const [run] = sarifLog(DIAGNOSTICS, 'desk/').runs;

  it('has one rule for each code, with help, and every result points at its own', () => {
    const rules = run?.tool.driver.rules ?? [];
    expect(rules.map(({ id }) => id)).toEqual(['E_SHEET', 'E_TARGET', 'W_SHEET_INPUT_UNUSED']);
    for (const { id, help, shortDescription } of rules) {
      expect(shortDescription.text).toBe(ALL_CODES[id]?.title);
      expect(help.text).toContain(ALL_CODES[id]?.fix);
    }
    for (const { ruleId, ruleIndex } of run?.results ?? []) expect(rules[ruleIndex]?.id).toBe(ruleId);
  });

  it('places results with the parts that are known', () => {
    const base = (uri: string) => ({ uri, uriBaseId: '%SRCROOT%' });
    expect(run?.results.map(({ locations }) => locations)).toEqual([
      [
        {
          physicalLocation: {
            artifactLocation: base('desk/sheets/%C3%A4%20b.yaml'),
            region: { startLine: 3, startColumn: 7 },
          },
          logicalLocations: [{ fullyQualifiedName: 'blocks[0]' }],
        },
      ],
      [{ physicalLocation: { artifactLocation: base('desk/sheets/b.yaml') } }],
      [],
      [{ physicalLocation: { artifactLocation: base('desk/sheets/c.yaml'), region: { startLine: 1 } } }],
    ]);
  });

  it('counts columns in code points and names the base that it uses', () => {
    expect(run?.columnKind).toBe('unicodeCodePoints');
    expect(Object.keys(run?.originalUriBaseIds ?? {})).toEqual(['%SRCROOT%']);
    expect(run?.results.map(({ level }) => level)).toEqual(['error', 'warning', 'error', 'error']);
  });
});
