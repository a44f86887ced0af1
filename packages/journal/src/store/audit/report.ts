import type { AuditProblem } from '../../contract.js';

/** Takes what an audit finds. */
export type AuditReport = (problem: AuditProblem) => void;
