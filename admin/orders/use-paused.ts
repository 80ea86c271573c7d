import { useEffect, useState } from "react";

/** Milliseconds of debounce. */
const PAUSE = 250;

/** The value, as it was when it last stayed the same for a moment. */
export function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
