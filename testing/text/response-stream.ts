import { expect } from 'vitest';

type Fields = Readonly<Record<string, unknown>>;

export interface StreamedEvent extends Fields {
  readonly type: string;
}

/** The events of a stream of the responses format; each must be named twice and numbered without a gap. */
export function parseResponseStream(stream: string): readonly StreamedEvent[] {
  const events = stream.split('\n\n').filter((text) => text !== '');
  return events.map((text, index) => {
    const [, name, data] = /^event: ([^\n]+)\ndata: ([^\n]+)$/s.exec(text) ?? [];
    const event: StreamedEvent = JSON.parse(data ?? '{}');
    expect([event.type, event.sequence_number]).toEqual([name, index]);
    return event;
  });
}

/** Puts items together from their events alone, as the strictest clients do, and shows that each event may stand where it stands. */
export function rebuildOutput(events: readonly StreamedEvent[]): readonly unknown[] {
  const builder = new OutputBuilder();
  for (const event of events) builder.take(event);
  return builder.output;
}

/** Kinds of parts by the events that fill them. */
const FILLED = {
  'response.output_text': 'text',
  'response.reasoning_text': 'text',
  'response.reasoning_summary_text': 'text',
  'response.refusal': 'refusal',
} as const;

/** The steps of hosted tools. */
const HOSTED = {
  file_search_call: ['in_progress', 'searching'],
  image_generation_call: ['in_progress', 'generating'],
} as const;

class OutputBuilder {
  readonly output: unknown[] = [];
  #item: { readonly index: number; readonly value: Fields } | undefined;
  #parts: Record<string, unknown>[] = [];
  #part: Record<string, unknown> | undefined;
  #text = '';
  #steps: string[] = [];
  #hasBegun = false;
  #hasEnded = false;

  take(event: StreamedEvent): void {
    expect(this.#hasEnded).toBe(false);
    if (event.type === 'response.created') {
      expect(this.#hasBegun).toBe(false);
      this.#hasBegun = true;
      return;
    }
    expect(this.#hasBegun).toBe(true);
    if (event.type === 'response.in_progress' || event.type === 'keepalive') return;
    if (/^response\.(completed|incomplete|failed)$/.test(event.type)) {
      if (event.type !== 'response.failed') expect(this.#item).toBeUndefined();
      this.#hasEnded = true;
    } else if (event.type === 'response.output_item.added') this.#openItem(event);
    else if (event.type === 'response.output_item.done') this.#closeItem(event);
    else this.#within(event);
  }

  #openItem({ output_index: index, item }: Fields): void {
    expect(this.#item).toBeUndefined();
    expect(index).toBe(this.output.length);
    expect(item).toMatchObject({ status: 'in_progress' });
    this.#item = { index: Number(index), value: item as Fields };
    this.#parts = [];
    this.#steps = [];
    this.#text = '';
  }

  #closeItem({ output_index: index, item }: Fields): void {
    expect(this.#part).toBeUndefined();
    expect(index).toBe(this.#item?.index);
    const whole = item as Fields;
    expect(whole).toMatchObject({ id: this.#item?.value.id, type: this.#item?.value.type });
    if (whole.type === 'function_call') expect(whole.arguments).toBe(this.#text === '' ? '{}' : this.#text);
    if (whole.type === 'custom_tool_call') expect(whole.input).toBe(this.#text);
    const ends = whole.status === 'completed' ? ['completed'] : [];
    const prefix = `response.${whole.type}`;
    const steps = HOSTED[whole.type as keyof typeof HOSTED] ?? [];
    if (steps.length > 0) expect(this.#steps).toEqual([...steps, ...ends].map((step) => `${prefix}.${step}`));
    const shown = whole.type === 'reasoning' && !('content' in whole) ? whole.summary : whole.content;
    if (shown !== undefined) expect(this.#parts).toEqual(shown);
    this.output.push(whole);
    this.#item = undefined;
  }

  #within(event: StreamedEvent): void {
    expect(event).toMatchObject({ item_id: this.#item?.value.id, output_index: this.#item?.index });
    const place = event.content_index ?? event.summary_index;
    if (/part\.added$/.test(event.type)) {
      expect(this.#part).toBeUndefined();
      expect(place).toBe(this.#parts.length);
      this.#part = { ...(event.part as object) };
    } else if (/part\.done$/.test(event.type)) {
      expect(place).toBe(this.#parts.length);
      expect(event.part).toEqual(this.#part);
      this.#parts.push(this.#part ?? {});
      this.#part = undefined;
    } else this.#fill(event);
  }

  #fill(event: StreamedEvent): void {
    const kind = event.type.replace(/\.(delta|done)$/, '');
    const field = FILLED[kind as keyof typeof FILLED];
    if (event.type.endsWith('.delta')) {
      if (field === undefined) this.#text += String(event.delta);
      else if (this.#part !== undefined) this.#part[field] = `${this.#part[field]}${event.delta}`;
      else throw new Error(`${event.type} outside of a part`);
    } else if (field !== undefined) expect(event[field]).toBe(this.#part?.[field]);
    else if (kind === 'response.function_call_arguments')
      expect(event.arguments).toBe(this.#text === '' ? '{}' : this.#text);
    else if (kind === 'response.custom_tool_call_input') expect(event.input).toBe(this.#text);
    else if (kind === 'response.output_text.annotation.added') {
      const annotations = this.#part?.annotations as unknown[];
      expect(event.annotation_index).toBe(annotations.length);
      annotations.push(event.annotation);
    } else if (/^response\.(file_search|image_generation)_call\./.test(kind)) this.#steps.push(kind);
    else throw new Error(`unknown event ${event.type}`);
  }
}
