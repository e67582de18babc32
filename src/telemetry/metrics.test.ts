import { beforeEach, describe, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

let engineStates: [string, string][];
let metrics: Metrics;

beforeEach(() => {
  engineStates = [['text:local', 'starting']];
  metrics = new Metrics({
    engineStates: () => engineStates,
    queueDepths: () => [['database', 2]],
    logLinesDropped: () => 7,
  });
});

async function lines(start: string): Promise<string[]> {
  return (await metrics.render()).split('\n').filter((line) => line.startsWith(start));
}

describe('Metrics', () => {
  it('counts requests by route, family and status class, and nothing finer', async () => {
    const route = metrics.forRoute('/v1/models', 'models');
    for (const status of [200, 204, 401, 499, 503]) {
      route.started();
      route.ended(status, 0.01);
    }
    const counted = await lines('stackgate_http_requests_total');
    expect(counted).toContain(
      'stackgate_http_requests_total{route="/v1/models",family="models",status_class="2xx"} 2',
    );
    expect(counted).toContain(
      'stackgate_http_requests_total{route="/v1/models",family="models",status_class="4xx"} 2',
    );
    expect(counted).toContain(
      'stackgate_http_requests_total{route="/v1/models",family="models",status_class="5xx"} 1',
    );
    expect(counted).toHaveLength(3);
  });

  it('names the rung of the PDF browser that was started last, and no other', async () => {
    expect(await lines('stackgate_pdf_sandbox{')).toEqual([]);
    metrics.pdf.browserStarted('no sandbox');
    metrics.pdf.browserStarted('sandbox');
    expect(await lines('stackgate_pdf_sandbox{')).toEqual(['stackgate_pdf_sandbox{rung="sandbox"} 1']);
  });

  it('knows how many requests are being served', async () => {
    const route = metrics.forRoute('/v1/models', 'models');
    route.started();
    route.started();
    route.ended(200, 1);
    expect(await lines('stackgate_http_requests_in_flight')).toEqual(['stackgate_http_requests_in_flight 1']);
  });

  it('keeps times in buckets', async () => {
    metrics.forRoute('/v1/models', 'models').ended(200, 0.3);
    const buckets = await lines('stackgate_http_request_duration_seconds_bucket');
    expect(buckets).toContain(
      'stackgate_http_request_duration_seconds_bucket{le="0.25",route="/v1/models",family="models"} 0',
    );
    expect(buckets).toContain(
      'stackgate_http_request_duration_seconds_bucket{le="0.5",route="/v1/models",family="models"} 1',
    );
  });

  it('shows the state that an engine is in now, and no former one', async () => {
    expect(await lines('stackgate_engine_state')).toEqual([
      'stackgate_engine_state{engine="text:local",state="starting"} 1',
    ]);
    engineStates = [['text:local', 'ready']];
    expect(await lines('stackgate_engine_state')).toEqual([
      'stackgate_engine_state{engine="text:local",state="ready"} 1',
    ]);
  });

  it('counts what missed its schema by engine, and shows engines of which nothing did', async () => {
    metrics.schemas.show('text:local');
    metrics.schemas.missed('text:gpu');
    metrics.schemas.probed('text:gpu');
    expect(await lines('stackgate_schema_misses_total')).toEqual([
      'stackgate_schema_misses_total{engine="text:local"} 0',
      'stackgate_schema_misses_total{engine="text:gpu"} 1',
    ]);
    expect(await lines('stackgate_schema_probes_total{engine="text:gpu"} 1')).toHaveLength(1);
  });

  it('shows queues, dropped lines of the log and the lag of the event loop', async () => {
    expect(await lines('stackgate_queue_depth')).toEqual(['stackgate_queue_depth{queue="database"} 2']);
    for (let asked = 0; asked < 2; asked++) {
      expect(await lines('stackgate_log_lines')).toEqual(['stackgate_log_lines_dropped_total 7']);
    }
    expect(await lines('nodejs_eventloop_lag_seconds ')).toHaveLength(1);
    expect(metrics.contentType).toMatch(/^text\/plain; version=/);
  });
});
