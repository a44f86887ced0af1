/** What is known of a code: the same shape in every package. */
interface CodeEntry {
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
}

/** Every code of this package. */
export const TEMPLATE_CODES = {
  E_TEMPLATE_PARSE: {
    title: 'The template is not well-formed',
    cause:
      "The text breaks the rules of Go's text/template; the message names the line and what was met there.",
    fix: 'Correct the action on that line. Functions must exist and variables must be declared before they are used.',
  },
  E_TEMPLATE_EXEC: {
    title: 'The template failed on this data',
    cause:
      'An action met a value that it cannot work with: an unknown field, a wrong type, a missing entry, a function that failed.',
    fix: 'The message names the action between < and >. Correct it, or the data that it reads.',
  },
  E_TEMPLATE_LIMIT: {
    title: 'The template goes past a bound',
    cause: 'Output, steps, nesting or time went past what was allowed, so that a runaway template ends.',
    fix: 'Make the template or its data smaller, or raise the limit that the message names.',
  },
} as const satisfies Record<string, CodeEntry>;
