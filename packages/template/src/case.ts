export { runTemplateCase } from './template-case.js';
