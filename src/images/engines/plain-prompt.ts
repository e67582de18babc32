/**
 * The prompt without the brackets by which stable-diffusion.cpp would read settings out of it: those of a request are
 * checked, and none may come in with the words.
 */
export function plainPrompt(prompt: string): string {
  return prompt.replace(/<(\/?)\s*sd_cpp_extra_args\s*>/gi, '$1sd_cpp_extra_args');
}
