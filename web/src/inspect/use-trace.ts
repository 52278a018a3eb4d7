// The trace of the sentence in the URL: requested when the question changes, aborted when it is no longer needed.

import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals';
import type { InspectRequest } from '../../../src/serve/index.ts';
import type { Trace } from '../../../src/translate/index.ts';
import { isAbort, post } from '../api.ts';

export interface TraceState {
  /** The latest trace; while loading, that of the previous question. */
  readonly trace?: Trace;
  readonly isLoading: boolean;
  /** Why the latest question has no answer. */
  readonly problem?: string;
}

/** The answers since the page was loaded, so that switching between views repeats no request. */
const answers = new Map<string, Trace>();
const answersKept = 6;

/** @param question undefined: no request yet */
export function useTrace(question: ReadonlySignal<InspectRequest | undefined>): ReadonlySignal<TraceState> {
  const state = useSignal<TraceState>({ isLoading: false });
  useSignalEffect(() => {
    const asked = question.value;
    const key = JSON.stringify(asked);
    const known = answers.get(key);
    if (asked === undefined || known !== undefined) {
      state.value = { trace: known, isLoading: false };
      return undefined;
    }
    const controller = new AbortController();
    state.value = { trace: state.peek().trace, isLoading: true };
    post<Trace>('v1/inspect', asked, { signal: controller.signal }).then(
      (trace) => {
        remember(key, trace);
        state.value = { trace, isLoading: false };
      },
      (error: unknown) => {
        if (!isAbort(error)) state.value = { trace: state.peek().trace, isLoading: false, problem: messageOf(error) };
      },
    );
    return () => controller.abort();
  });
  return state;
}

function remember(key: string, trace: Trace): void {
  answers.set(key, trace);
  if (answers.size > answersKept) answers.delete([...answers.keys()][0]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
