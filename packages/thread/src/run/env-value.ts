/** The value of a variable as the log keeps it: a secret is sealed. `by`: a tool or a hook set it, whatever it read. */
export type EnvValue =
  | { readonly type: 'text'; readonly value: string; readonly by?: 'function' }
  | {
      readonly type: 'secret';
      readonly sealed: string;
      /** Nobody declares it, and it is an ordinary word: it is sealed, and not looked for in texts. */
      readonly plain?: true;
      readonly by?: 'function';
    };

/** Values by name. `null`: taken away, whatever a parent has. */
export type EnvLayer = { readonly [name: string]: EnvValue | null };
