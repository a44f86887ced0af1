import { runTemplateCase, type TemplateAnswer, type TemplateCase } from './template-case.js';

/** Answers one case of the corpus on one back end. A line keeps its numbers as they are written. */
export const runCase = (line: string | TemplateCase, engine: 'code' | 'closures'): TemplateAnswer =>
  runTemplateCase(line, engine);
