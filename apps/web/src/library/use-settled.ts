import { useEffect, useState } from 'react';

/** A value once it has not changed for a while: nothing is asked of the server for every letter that is typed. */
export function useSettled<Value>(value: Value, ms = 250): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
