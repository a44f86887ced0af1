/**
 * An address as it is compared. Only the letters A to Z have a small form here: what Unicode calls the small form of
 * another sign, such as the Kelvin sign, would make one mailbox of two.
 */
export const mailboxOf = (address: string): string =>
  address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
