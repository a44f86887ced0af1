import { hint } from '@cuebook/prompt/hint';
import type { ScriptStep } from './script.js';

/**
 * What is said where nobody wrote a script: it never ends, it changes nothing, and it says what it is, so
 * that nobody takes it for a model.
 */
export const BUILT_IN_STEP: ScriptStep = {
  text: `This is a rehearsal: no model was called. Configure a provider to get a real answer; ${hint`providers`} lists them.`,
};
