import { CONVERSATION_EVENTS } from '@cuebook/engine';
import type { WorkflowRunEvent } from './state.js';

/** The types of the events of a workflow. */
export const WORKFLOW_EVENTS: { readonly [type in WorkflowRunEvent['type']]: true } = {
  ...CONVERSATION_EVENTS,
  'run.updated': true,
  'workflow.composed': true,
  'workflow.started': true,
};
