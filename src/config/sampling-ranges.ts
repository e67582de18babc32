/** The temperatures that a request or a stack may ask for. */
export const TEMPERATURE = { minimum: 0, maximum: 2 } as const;

/** The values of `top_p`: above the one, up to the other. */
export const TOP_P = { above: 0, maximum: 1 } as const;

/** Whether a value is a temperature that may be asked for. */
export function isTemperature(value: unknown): value is number {
  return typeof value === 'number' && value >= TEMPERATURE.minimum && value <= TEMPERATURE.maximum;
}

/** Whether a value is a `top_p` that may be asked for. */
export function isTopP(value: unknown): value is number {
  return typeof value === 'number' && value > TOP_P.above && value <= TOP_P.maximum;
}
