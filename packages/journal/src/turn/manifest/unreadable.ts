/** Why a receipt cannot be read back: a sentence about the record, never its content. */
export class UnreadableReceipt extends Error {
  /** The blob whose content was deleted on request, if that is why. */
  readonly deleted: string | undefined;

  constructor(message: string, deleted?: string) {
    super(message);
    this.deleted = deleted;
  }
}
