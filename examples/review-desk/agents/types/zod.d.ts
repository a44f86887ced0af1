// For editors, where zod is not installed: the part of it that tools and prompts use.
export declare namespace z {
  interface Type<Value> {
    readonly _output: Value;
    optional(): Type<Value | undefined>;
    nullable(): Type<Value | null>;
    default(value: Value): Type<Value>;
    describe(text: string): this;
    refine(check: (value: Value) => unknown, message?: string): this;
    transform<Next>(change: (value: Value) => Next): Type<Next>;
  }
  interface Text extends Type<string> {
    min(length: number): Text;
    max(length: number): Text;
    regex(pattern: RegExp): Text;
    trim(): Text;
  }
  interface Numeric extends Type<number> {
    min(value: number): Numeric;
    max(value: number): Numeric;
    int(): Numeric;
    positive(): Numeric;
    nonnegative(): Numeric;
  }
  interface ZodObject<Shape extends Record<string, Type<unknown>> = Record<string, Type<unknown>>>
    extends Type<{ [Key in keyof Shape]: Shape[Key]['_output'] }> {
    strict(): this;
    partial(): ZodObject<{ [Key in keyof Shape]: Type<Shape[Key]['_output'] | undefined> }>;
  }
  interface List<Item> extends Type<Item[]> {
    min(length: number): List<Item>;
    max(length: number): List<Item>;
  }
  type infer<T extends Type<unknown>> = T['_output'];
}

export declare const z: {
  string(): z.Text;
  number(): z.Numeric;
  int(): z.Numeric;
  boolean(): z.Type<boolean>;
  null(): z.Type<null>;
  unknown(): z.Type<unknown>;
  literal<const T extends string | number | boolean | null>(value: T): z.Type<T>;
  enum<const T extends string>(names: readonly T[]): z.Type<T>;
  array<T>(item: z.Type<T>): z.List<T>;
  object<S extends Record<string, z.Type<unknown>>>(shape: S): z.ZodObject<S>;
  record<T>(key: z.Type<string>, value: z.Type<T>): z.Type<Record<string, T>>;
  union<T extends z.Type<unknown>[]>(types: [...T]): z.Type<T[number]['_output']>;
};
