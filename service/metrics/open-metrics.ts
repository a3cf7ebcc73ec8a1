import { type Metrics, type MetricsPage, noMetrics } from './metrics.js';
import type * as prometheus from './prometheus.js';

/** Returns the counters and their page. A service without metrics loads no library for them. */
export function openMetrics(
  isOn: boolean,
  loadOf: () => prometheus.SpeechLoad,
): { metrics: Metrics; metricsPage: MetricsPage | undefined } {
  if (!isOn) return { metrics: noMetrics, metricsPage: undefined };
  const { PrometheusMetrics }: typeof prometheus = require('./prometheus.js');
  const metrics = new PrometheusMetrics(loadOf);
  return { metrics, metricsPage: metrics };
}
