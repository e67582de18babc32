export const degradations: Readonly<Record<string, unknown>>;
export function degradedPage(svg: string, name: string, random: () => number): Promise<Buffer>;
