// The server's metrics, for Prometheus.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];

export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'heed_http_request_duration_seconds',
    help: 'Time from request to answer.',
    labelNames: ['endpoint', 'method', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly batches = new Histogram({
    name: 'heed_batch_sentences',
    help: 'Sentences that were translated together.',
    labelNames: ['model'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    registers: [this.registry],
  });
  private readonly characters = new Counter({
    name: 'heed_characters_total',
    help: 'Characters of the texts accepted for translation.',
    labelNames: ['model'],
    registers: [this.registry],
  });
  private readonly crashes = new Counter({
    name: 'heed_worker_crashes_total',
    help: 'Threads that ended unexpectedly and were replaced.',
    registers: [this.registry],
  });

  /** @param requestsNow the number of requests under way or waiting, called whenever the metrics are read */
  constructor(requestsNow: () => number) {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'heed_requests',
      help: 'Requests under way or waiting.',
      registers: [this.registry],
      collect() {
        this.set(requestsNow());
      },
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** @param endpoint the route, never the requested address: clients could create any number of time series with those */
  answered({ seconds, ...labels }: { endpoint: string; method: string; status: number; seconds: number }): void {
    this.requests.observe(labels, seconds);
  }

  batch(model: string, sentences: number): void {
    this.batches.observe({ model }, sentences);
  }

  translating(model: string, characters: number): void {
    this.characters.inc({ model }, characters);
  }

  crashed(): void {
    this.crashes.inc();
  }
}
