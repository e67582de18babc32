export function usePageFonts(folder: string): void;
