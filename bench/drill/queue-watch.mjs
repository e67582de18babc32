import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const LOOK_EVERY_MS = 200;
const QUERY = `select id::text as place, rendering, lease_until > clock_timestamp() as is_held
  from image_places where stack_id = 'art' order by image_places.id`;

/** Looks into the queue of images all the time, at the database itself: who renders, and who waits. */
export class QueueWatch {
  looks = 0;
  problems = [];
  #url;
  #isOver = false;
  #looking;

  constructor(url) {
    this.#url = url;
  }

  start() {
    this.#looking = this.#look();
  }

  async stop() {
    this.#isOver = true;
    await this.#looking;
  }

  async #look() {
    while (!this.#isOver) {
      const client = new pg.Client({ connectionString: this.#url });
      client.on('error', () => {});
      try {
        await client.connect();
        while (!this.#isOver) {
          this.#judge((await client.query(QUERY)).rows);
          await sleep(LOOK_EVERY_MS);
        }
      } catch {
        // The database is restarted: the next look connects again.
        await sleep(LOOK_EVERY_MS);
      }
      await client.end().catch(() => {});
    }
  }

  #judge(rows) {
    this.looks += 1;
    const held = rows.filter((row) => row.is_held);
    const rendering = held.filter((row) => row.rendering);
    if (rendering.length > 1) this.problems.push(`${rendering.length} images of a stack that may render one`);
    const firstWaiting = held.findIndex((row) => !row.rendering);
    const lastRendering = held.findLastIndex((row) => row.rendering);
    if (firstWaiting !== -1 && firstWaiting < lastRendering)
      this.problems.push(`image ${held[lastRendering].place} renders before ${held[firstWaiting].place}`);
  }
}
