/** Supported sizes, as written in requests. */
export const IMAGE_SIZES = ['1024x1024', '1536x1024', '1024x1536'] as const;
