import { type Diagnostic, nearest } from '@cuebook/prompt';
import type { Scenario } from './scenario.js';
import { type FillError, type FillProblem, VALUE_LIMIT } from './template.js';

/** A diagnostic for each value that does not fit. */
export function describeFill({ problems }: FillError, scenario: Scenario): readonly Diagnostic[] {
  return problems.map((problem) => ({
    code: 'E_FILL',
    severity: 'error',
    message: sentence(problem, scenario),
  }));
}

function sentence({ name, problem }: FillProblem, { id, placeholders }: Scenario): string {
  const names = placeholders.map((placeholder) => placeholder.name);
  switch (problem) {
    case 'missing':
      if (name === 'target_agent_prompt_view')
        return `${id} needs an agent to address. Name the card with --to NAME`;
      return `${id} needs "${name}". Hand it in with --set ${name}=VALUE or --set ${name}=@FILE`;
    case 'unknown': {
      const meant = nearest(name, names);
      const shown = name.slice(0, 64);
      return `${id} takes no "${shown}". ${meant === undefined ? `It takes: ${names.join(', ')}` : `Did you mean "${meant}"?`}`;
    }
    case 'not-a-score':
      return `"${name}" is a number from 0 to 100`;
    case 'not-a-date':
      return `"${name}" is a day, such as 2026-11-15`;
    case 'too-long':
      return `"${name}" has more than ${VALUE_LIMIT} characters`;
    case 'not-unicode':
      return `"${name}" holds half a character (a lone surrogate)`;
  }
}
