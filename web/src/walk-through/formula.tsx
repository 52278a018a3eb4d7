// A formula, rendered by KaTeX. KaTeX is loaded with the first formula; until then, and if that fails, the TeX is shown.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

type Render = (tex: string, element: HTMLElement, options: { displayMode: boolean; throwOnError: boolean }) => void;

let loading: Promise<Render | undefined> | undefined;

/** KaTeX builds elements and sets their style by script, which a strict content security policy allows. */
function loadKatex(): Promise<Render | undefined> {
  loading ??= Promise.all([import('katex'), import('katex/dist/katex.min.css')]).then(
    ([{ default: katex }]) => katex.render,
    () => undefined,
  );
  return loading;
}

interface FormulaProps {
  readonly tex: string;
  /** On a line of its own. */
  readonly isDisplayed?: boolean;
}

export function Formula({ tex, isDisplayed = false }: FormulaProps) {
  const element = useRef<HTMLSpanElement>(null);
  const render = useSignal<Render | undefined>(undefined);
  useEffect(() => {
    void loadKatex().then((loaded) => {
      render.value = loaded;
    });
  }, [render]);
  const loaded = render.value;
  useEffect(() => {
    if (element.current === null) return;
    if (loaded === undefined) element.current.textContent = tex;
    else loaded(tex, element.current, { displayMode: isDisplayed, throwOnError: false });
  }, [tex, isDisplayed, loaded]);
  return <span ref={element} class={isDisplayed ? 'formula displayed' : 'formula'} />;
}
