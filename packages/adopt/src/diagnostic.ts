import type { Diagnostic } from '@cuebook/prompt';
import type { AdoptCode } from './codes.js';
import type { LineColumn } from './text/mapped.js';

/**
 * What import or export has to say about a place of a source. An error: the file or prompt cannot be taken. A warning:
 * something was not kept. An info line: it was kept in another form, and both forms are named.
 */
export interface AdoptDiagnostic extends Omit<Diagnostic, 'severity' | 'code'> {
  readonly code: AdoptCode;
  readonly severity: Diagnostic['severity'] | 'info';
}

/** Whether something of the source is missing from the result. */
export const isLoss = ({ severity }: Pick<AdoptDiagnostic, 'severity'>): boolean => severity !== 'info';

/** Collects the diagnostics of one file. */
export interface Reporter {
  readonly file: string;
  readonly found: AdoptDiagnostic[];
  readonly error: ReportLine;
  readonly warning: ReportLine;
  readonly info: ReportLine;
}

export type ReportLine = (code: AdoptCode, at: LineColumn | undefined, message: string) => void;

/** A reporter of one file; with `found` its lines go to the list of another file, which names it. */
export function reporter(file: string, found: AdoptDiagnostic[] = []): Reporter {
  const at =
    (severity: AdoptDiagnostic['severity']): ReportLine =>
    (code, place, message) => {
      found.push({ code, severity, message: inOneLine(message), file, ...place });
    };
  return { file, found, error: at('error'), warning: at('warning'), info: at('info') };
}

/** Messages of libraries repeat what they read: a terminal gets no control character of it. */
const inOneLine = (message: string): string =>
  message.replace(/[\p{Cc}\p{Cs}]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  });

/** Words of a source inside of a message: one line, of bounded length, in quotes. */
export function quote(text: string, limit = 60): string {
  const points = [...text.slice(0, limit * 2)];
  const short =
    points.length > limit || text.length > limit * 2 ? `${points.slice(0, limit).join('')}…` : text;
  return JSON.stringify(short);
}
