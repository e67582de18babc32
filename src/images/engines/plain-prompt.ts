/**
 * The prompt without the word by which stable-diffusion.cpp would read settings out of it: those of a request are
 * checked, and none may come in with its text.
 */
export function plainPrompt(prompt: string): string {
  return prompt.replace(/sd_cpp_extra_args/gi, 'sd cpp extra args');
}
