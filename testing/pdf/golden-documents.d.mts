export function invoice(): string;
export function certificate(): string;
export function report(pages?: number): string;
export function multilingual(): string;
