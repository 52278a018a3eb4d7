// The current width of an element.

import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** CSS pixels; 0 before the element is there. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([{ contentRect }]) => setWidth(Math.floor(contentRect.width)));
    observer.observe(element.current);
    setWidth(Math.floor(element.current.clientWidth));
    return () => observer.disconnect();
  }, [element]);
  return width;
}
