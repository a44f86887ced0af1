import type { AuditProblem } from '../../contract.js';

/** Takes what an audit finds. */
export type Report = (problem: AuditProblem) => void;
