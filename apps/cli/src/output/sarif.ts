import { ALL_CODES } from '../all-codes.js';
import { git } from '../git/git.js';
import { VERSION } from '../version.js';
import type { ShownDiagnostic } from './diagnostics.js';

/** The diagnostics as a SARIF 2.1.0 log, with paths from the top of the checkout, as review tools want them. */
export async function toSarif(diagnostics: readonly ShownDiagnostic[], folder: string): Promise<SarifLog> {
  return sarifLog(diagnostics, await checkoutPrefix(folder));
}

/** The log for files that lie below `prefix` (empty, or ending in a slash). Pure. */
export function sarifLog(diagnostics: readonly ShownDiagnostic[], prefix: string): SarifLog {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'cuebook', version: VERSION, semanticVersion: VERSION, rules: codes.map(toRule) },
        },
        columnKind: 'unicodeCodePoints',
        originalUriBaseIds: { [BASE]: { description: { text: 'The top of the checkout.' } } },
        results: diagnostics.map((diagnostic) =>
          toResult(diagnostic, codes.indexOf(diagnostic.code), prefix),
        ),
      },
    ],
  };
}

const BASE = '%SRCROOT%';

export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly SarifRun[];
}

interface SarifRun {
  readonly tool: {
    readonly driver: {
      readonly name: string;
      readonly version: string;
      readonly semanticVersion: string;
      readonly rules: readonly SarifRule[];
    };
  };
  readonly columnKind: 'unicodeCodePoints';
  readonly originalUriBaseIds: Readonly<Record<string, { readonly description: Message }>>;
  readonly results: readonly SarifResult[];
}

interface Message {
  readonly text: string;
}

interface SarifRule {
  readonly id: string;
  readonly shortDescription: Message;
  readonly fullDescription: Message;
  readonly help: Message & { readonly markdown: string };
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: 'error' | 'warning' | 'note';
  readonly message: Message;
  readonly locations: readonly unknown[];
}

function toRule(code: string): SarifRule {
  const { title, cause, fix } = ALL_CODES[code] ?? { title: code, cause: code, fix: '' };
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: cause },
    help: { text: `${cause} ${fix}`.trim(), markdown: `${cause}\n\n**Fix:** ${fix}` },
  };
}

function toResult(diagnostic: ShownDiagnostic, ruleIndex: number, prefix: string): SarifResult {
  const { code, severity, message, file, line, column, path } = diagnostic;
  const region =
    line === undefined
      ? {}
      : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } };
  const logical = path === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: path }] };
  const artifactLocation = { uri: encodePath(prefix + (file ?? '')), uriBaseId: BASE };
  const physical = file === undefined ? {} : { physicalLocation: { artifactLocation, ...region } };
  const location = { ...physical, ...logical };
  return {
    ruleId: code,
    ruleIndex,
    level: severity === 'info' ? 'note' : severity,
    message: { text: message },
    locations: Object.keys(location).length === 0 ? [] : [location],
  };
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Where the project lies in its checkout; outside one, or without git, paths stay those of the project. */
async function checkoutPrefix(folder: string): Promise<string> {
  const answer = await git(folder, ['rev-parse', '--show-prefix']).catch(() => undefined);
  return answer?.ok === true ? answer.stdout.toString().replace(/\n$/, '') : '';
}
