/**
 * Disarms the marker with which stable-diffusion.cpp reads settings from a prompt: a prompt must not bypass the checks of a
 * request.
 */
export function plainPrompt(prompt: string): string {
  return prompt.replace(/sd_cpp_extra_args/gi, 'sd cpp extra args');
}
