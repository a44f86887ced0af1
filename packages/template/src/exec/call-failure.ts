/** What a builtin function throws: the text behind `error calling NAME: `. */
export class CallFailure {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export function refuse(message: string): never {
  throw new CallFailure(message);
}
