import type { EndedRequest, UsageRecorder } from '../src/access/usage-recorder.ts';

/** Records finished requests, oldest first. */
export class FakeUsageRecorder implements UsageRecorder {
  readonly ended: EndedRequest[] = [];

  record(request: EndedRequest): void {
    this.ended.push(request);
  }
}
