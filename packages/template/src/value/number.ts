/** Go's sized integer types, without `int`, which a plain whole number is: how many bits, and whether with a sign. */
export const INTEGER_TYPES = {
  int8: { bits: 8, isSigned: true },
  int16: { bits: 16, isSigned: true },
  int32: { bits: 32, isSigned: true },
  int64: { bits: 64, isSigned: true },
  uint: { bits: 64, isSigned: false },
  uint8: { bits: 8, isSigned: false },
  uint16: { bits: 16, isSigned: false },
  uint32: { bits: 32, isSigned: false },
  uint64: { bits: 64, isSigned: false },
} as const;

export type IntegerType = keyof typeof INTEGER_TYPES;

/** Whether a type is one of the sized integers. */
export const isIntegerType = (type: string): type is IntegerType => Object.hasOwn(INTEGER_TYPES, type);

/** An integer of a sized type. Its value is a number as long as that is safe. */
export class Integer {
  readonly type: IntegerType;
  readonly value: number | bigint;
  constructor(type: IntegerType, value: number | bigint) {
    const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
    if (!isWhole || wrapped(type, value) !== BigInt(value))
      throw new RangeError(`${value} is no ${type}: ${rangeOf(type)}`);
    this.type = type;
    this.value = smallest(value);
  }
}

/** A uint8 from 0 to 255: what indexing a string yields. */
export class Uint8 extends Integer {
  declare readonly value: number;
  constructor(value: number | bigint) {
    super('uint8', value);
  }
}

/** A float64, whole numbers too. */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
  get type(): 'float64' | 'float32' {
    return 'float64';
  }
}

/** A float32: the value is rounded to it. */
export class Float32 extends Float {
  constructor(value: number) {
    super(Math.fround(value));
  }
  override get type(): 'float32' {
    return 'float32';
  }
}

/** An integer that becomes one of another type as in Go: the bits that do not fit are lost. */
export function convertInteger(type: IntegerType, value: number | bigint): Integer {
  const fitting = wrapped(type, value);
  return type === 'uint8' ? new Uint8(fitting) : new Integer(type, fitting);
}

/** An integer as an int, a number as long as that is safe. */
export const asInt = (value: number | bigint): number | bigint =>
  typeof value === 'number' ? value : smallest(BigInt.asIntN(64, value));

function wrapped(type: IntegerType, value: number | bigint): bigint {
  const { bits, isSigned } = INTEGER_TYPES[type];
  return isSigned ? BigInt.asIntN(bits, BigInt(value)) : BigInt.asUintN(bits, BigInt(value));
}

/** An integer is a number as long as it is safe. */
function smallest(value: number | bigint): number | bigint {
  const number = Number(value);
  // A zero has no sign here.
  return Number.isSafeInteger(number) ? number + 0 : value;
}

function rangeOf(type: IntegerType): string {
  const { bits, isSigned } = INTEGER_TYPES[type];
  const size = 2n ** BigInt(isSigned ? bits - 1 : bits);
  return `a whole number from ${isSigned ? -size : 0} to ${size - 1n}`;
}
