// The training runs of the server, and the live events of those that are shown.

import { batch, effect, signal } from '@preact/signals';
import type { RunList, RunMessage, RunState, RunSummary } from '../../../src/serve/index.ts';
import { eventsOf, get } from '../api.ts';
import { route, setParameters } from '../router.ts';
import type { RunLog } from './curves.ts';
import { words } from './words.ts';

/** Browsers open at most six connections to a server, and each run that is followed needs one. */
export const mostShown = 4;

/** Undefined until the server has answered. */
export const runs = signal<readonly RunSummary[] | undefined>(undefined);

export const failure = signal<string | undefined>(undefined);

/** Names of the shown runs. */
export const shown = signal<readonly string[]>([]);

/** Of the shown runs. */
export const logs = signal<ReadonlyMap<string, RunLog>>(new Map());

export function show(name: string, isShown: boolean): void {
  const others = shown.value.filter((other) => other !== name);
  shown.value = isShown ? [...others, name].slice(-mostShown) : others;
  setParameters({ runs: shown.value.join(',') });
}

/** The colour of a run depends on its place in the list. */
export function seriesOf(name: string): number {
  const place = (runs.value ?? []).findIndex((run) => run.name === name);
  return (Math.max(0, place) % seriesCount) + 1;
}

/** Colours --series-1 and on of the design. */
const seriesCount = 8;

/** Polls the list of runs and follows those that are shown; returns a function that stops it. */
export function followRuns(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new AbortController();
  const look = async () => {
    await refreshRuns(ended.signal);
    if (!ended.signal.aborted) timer = setTimeout(look, listIntervalMs);
  };
  void look();
  const followed = new Map<string, () => void>();
  const stopFollowing = effect(() => {
    for (const [name, end] of followed)
      if (!shown.value.includes(name)) {
        end();
        followed.delete(name);
      }
    for (const name of shown.value) if (!followed.has(name)) followed.set(name, followRun(name));
  });
  return () => {
    ended.abort();
    clearTimeout(timer);
    stopFollowing();
    for (const end of followed.values()) end();
  };
}

const listIntervalMs = 5000;

async function refreshRuns(signal?: AbortSignal): Promise<void> {
  try {
    const list = await get<RunList>('v1/runs', { signal });
    batch(() => {
      const isFirst = runs.value === undefined;
      runs.value = list.runs;
      failure.value = undefined;
      if (isFirst) shown.value = firstShown(list.runs);
    });
  } catch (error) {
    if (!signal?.aborted) failure.value = (error as Error).message;
  }
}

/** Those that the URL names; else those that are running; else the first. */
function firstShown(list: readonly RunSummary[]): string[] {
  const asked = (route.peek().parameters.get('runs') ?? '').split(',');
  const named = list.filter(({ name }) => asked.includes(name));
  const atWork = list.filter(({ state }) => state === 'running' || state === 'stopping');
  const chosen = [named, atWork, list].find((some) => some.length > 0) ?? [];
  return chosen.slice(0, chosen === list ? 1 : mostShown).map(({ name }) => name);
}

function setState(name: string, state: RunState): void {
  runs.value = runs.value?.map((run) => (run.name === name ? { ...run, state } : run));
}

/** Messages come in bursts, so updates of the page are throttled. */
const flushIntervalMs = 200;

function followRun(name: string): () => void {
  let log = { events: [] as RunMessage['training'][], speeds: [] as RunMessage['speed'][] };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    logs.value = new Map(logs.value).set(name, { ...log });
  };
  const source = eventsOf(`v1/runs/${encodeURIComponent(name)}/events`);
  const on = <Kind extends keyof RunMessage>(kind: Kind, take: (message: RunMessage[Kind]) => void) =>
    source.addEventListener(kind, ({ data }) => {
      take(JSON.parse(data));
      timer ??= setTimeout(flush, flushIntervalMs);
    });
  on('state', ({ state }) => setState(name, state));
  on('reset', () => {
    log = { events: [], speeds: [] };
  });
  on('training', (event) => log.events.push(event));
  on('speed', (speed) => log.speeds.push(speed));
  source.addEventListener('error', () => {
    if (source.readyState === source.CLOSED) failure.value = words.peek().streamEnded(name);
  });
  return () => {
    source.close();
    clearTimeout(timer);
  };
}
