// Debounces a value that a slider changes many times a second: shown at once, reported after a pause. Browsers limit
// how often the URL may change, and each change may cost a request.

import { useEffect, useState } from 'preact/hooks';

const pauseMs = 250;

/** @param tell is called with the value once it has rested; it is expected to become `settled` */
export function useDelayed(settled: number, tell: (value: number) => void): [number, (value: number) => void] {
  const [moving, setMoving] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (moving === undefined) return undefined;
    const timer = setTimeout(() => {
      tell(moving);
      setMoving(undefined);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [moving]);
  return [moving ?? settled, setMoving];
}
