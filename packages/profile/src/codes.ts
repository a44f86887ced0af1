import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes that every profile shares. */
export const PROFILE_CODES = {
  E_TARGET: {
    title: 'Not a target',
    cause: 'The target is not written `kind:NAME`, or no such kind or name is in the project.',
    fix: `Run ${hint`check`} to see the targets of the project, and copy the name from there.`,
  },
  E_INPUT: {
    title: 'Input that does not fit',
    cause:
      'An input is missing, has the wrong form, or is not one that the target takes; the message says which.',
    fix: `Hand in the inputs that the target declares; ${hint`render TARGET --help`} shows how.`,
  },
  W_REDACTED: {
    title: 'Something private was taken out',
    cause:
      'A text, a tool definition or a parameter holds a private path, a name or a credential (a token, a key, `password: …`), which is never sent to a model.',
    fix: 'Remove it from the source, or list the path under `public` in `cuebook.yaml` if it may be sent. A credential belongs to the tool that needs it.',
  },
  W_HIDDEN_TEXT: {
    title: 'Text that people do not see',
    cause:
      'A source holds characters that are not drawn, or that turn the order of others around: Unicode tags, bidirectional controls, zero-width and control characters, private use. A model reads them, a reviewer does not.',
    fix: 'Remove them, or write what they stand for in letters that can be seen. In a prompt each is sent as its number, such as `[U+202E]`.',
  },
  W_PLACEHOLDER: {
    title: 'A placeholder that nothing fills in',
    cause:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what people write
      'A text holds a placeholder of another template language, such as `{{name}}`, `${name}`, `{% if %}` or `<%= name %>`. It is sent to the model as it is.',
    fix: 'Declare an input and put it in with a part of its own. If the model is to see the placeholder, write it as code, between backticks.',
  },
  W_FRONTMATTER: {
    title: 'Frontmatter that is sent as text',
    cause: 'A text begins with settings between two lines of `---`, which are sent to the model as text.',
    fix: 'Remove them, or say what they say in a sentence.',
  },
  E_LABEL: {
    title: 'A label that cannot be used',
    cause:
      '`labels.yaml` does not fit, has no such label for this target, or names a commit whose sources are not those that were labelled.',
    fix: `Show the labels with ${hint`label list`}, and set one again with ${hint`label set LABEL TARGET`}.`,
  },
  E_REVISION: {
    title: 'No such revision',
    cause:
      'What follows `@` in the target does not name a commit of this checkout, or the call works on the project as it is now.',
    fix: 'Use a branch, tag or commit that `git log` knows, such as `sheet:review@HEAD~1`.',
  },
  E_CONFIG: {
    title: 'The project file does not fit',
    cause: '`cuebook.yaml` is not valid YAML, or a key in it is unknown or of the wrong form.',
    fix: 'Correct the place that the message names. Known keys: roots, private, names, public, provider, providers, prices, workflow.',
  },
} as const satisfies Record<string, CodeEntry>;
