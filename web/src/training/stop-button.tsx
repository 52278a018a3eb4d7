// Stops a run after a confirmation.

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { post } from '../api.ts';
import { Notice } from '../design/notice.tsx';
import { words } from './words.ts';

export function StopButton({ name }: { readonly name: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const failure = useSignal<string | undefined>(undefined);
  const stop = async () => {
    try {
      await post(`v1/runs/${encodeURIComponent(name)}/stop`, {});
      dialog.current?.close();
    } catch (error) {
      failure.value = (error as Error).message;
    }
  };
  const titleId = `stop-${name}`;
  return (
    <>
      <button type="button" class="stop" onClick={() => dialog.current?.showModal()}>
        {words.value.stop}
      </button>
      <dialog ref={dialog} class="panel" aria-labelledby={titleId}>
        <h2 id={titleId}>{words.value.stopTitle(name)}</h2>
        <p>{words.value.stopMeaning}</p>
        {failure.value !== undefined && <Notice>{failure.value}</Notice>}
        <div class="toolbar">
          <button type="button" onClick={() => dialog.current?.close()}>
            {words.value.cancel}
          </button>
          <button type="button" class="primary" onClick={stop}>
            {words.value.stopNow}
          </button>
        </div>
      </dialog>
    </>
  );
}
